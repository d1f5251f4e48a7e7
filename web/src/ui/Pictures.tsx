// What is drawn rather than photographed.

// Two rough surfaces touch at their bristles.
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path class="plate" d="M3 7h26M3 25h26" />
      <path class="bristles" d="M7 7c0 6 3 6 3 11M13 7c0 6 3 6 3 11M19 7c0 6 3 6 3 11M11 25v-5M17 25v-5M23 25v-5" />
    </svg>
  );
}

// For a scene without a picture: a quiet linkage that differs from name to name.
export function Placeholder({ name }: { name: string }) {
  let seed = 7;
  for (const letter of name) seed = (seed * 31 + letter.charCodeAt(0)) % 9973;
  const next = () => (seed = (seed * 137 + 911) % 9973) / 9973;
  const points: [number, number][] = [];
  const count = 3 + Math.floor(3 * next());
  for (let i = 0; i < count; ++i) points.push([80 + (320 * i) / (count - 1), 90 + 120 * next()]);
  return (
    <svg class="placeholder" viewBox="0 0 480 300" aria-hidden="true">
      <path class="ground" d="M40 244h400" />
      <polyline class="bars" points={points.map((p) => p.join(",")).join(" ")} />
      {points.map(([x, y]) => (
        <circle cx={x} cy={y} r="9" />
      ))}
    </svg>
  );
}
