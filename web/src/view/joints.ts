// Gears couple joints and gauges only measure: neither has a place to be drawn at.
export function holdsBodies(joint: { type?: string | null | undefined }): boolean {
  return joint.type !== "gear" && joint.type?.endsWith(" gauge") !== true;
}
