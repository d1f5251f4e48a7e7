// What a click would add, to be seen through before it is there.
import { CylinderGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, type BufferGeometry } from "three";
import type { AddBody } from "../core/messages";
import { unitBox, unitCylinder, unitSphere } from "./shapes";

export class Ghost {
  readonly group = new Group();
  private readonly material = new MeshBasicMaterial({ transparent: true, opacity: 0.4, depthWrite: false, toneMapped: false });
  private made = ""; // what the geometry is of

  dress(colour: string): void {
    this.material.color.set(colour);
  }

  show(body: AddBody | null): void {
    this.group.visible = body !== null;
    if (!body) return;
    const what = JSON.stringify([body.kind, body.size, body.outline]);
    if (what !== this.made) this.build(body);
    this.made = what;
    this.group.position.fromArray(body.position ?? [0, 0, 0]);
    const [w = 1, x = 0, y = 0, z = 0] = body.orientation ?? [];
    this.group.quaternion.copy(new Quaternion(x, y, z, w));
  }

  private build(body: AddBody): void {
    this.clear();
    const [a = 0, b = 0, c = 0] = body.size ?? [];
    const add = (geometry: BufferGeometry, scale: [number, number, number], up = 0) => {
      const mesh = new Mesh(geometry, this.material);
      mesh.scale.set(...scale);
      mesh.position.z = up;
      this.group.add(mesh);
    };
    if (body.kind === "SPHERE") add(unitSphere(24), [a, a, a]);
    else if (body.kind === "BOX") add(unitBox(), [a, b, c]);
    else if (body.kind === "CYLINDER") add(unitCylinder(32), [a, a, b]);
    else if (body.kind === "CAPSULE") {
      add(unitCylinder(24), [a, a, b]);
      for (const end of [-b / 2, b / 2]) add(unitSphere(24), [a, a, a], end);
    } else {
      const corners = (body.outline?.length ?? 0) / 2;
      const radius = Math.hypot(body.outline?.[0] ?? 0, body.outline?.[1] ?? 0);
      // Along y, with a corner at z: along z, with a corner at y.
      add(new CylinderGeometry(1, 1, 1, corners).rotateX(Math.PI / 2).rotateZ(Math.PI), [radius, radius, a]);
    }
  }

  clear(): void {
    for (const mesh of this.group.children) (mesh as Mesh).geometry.dispose();
    this.group.clear();
    this.made = "";
  }
}
