// The 3D view as a component: fills its parent.
export function View() {
  return <canvas class="view" aria-label="Scene" />;
}
