/**
 * The parts of the package three that the page uses; the package itself has no types.
 * @module
 */

export class Vector3 {
  constructor(x?: number, y?: number, z?: number);
  x: number;
  y: number;
  z: number;
  set(x: number, y: number, z: number): this;
  copy(other: Vector3): this;
  length(): number;
  lengthSq(): number;
  add(other: Vector3): this;
  multiplyScalar(factor: number): this;
  applyQuaternion(rotation: Quaternion): this;
}

export class Quaternion {
  readonly isQuaternion: true;
}

export interface Euler {
  x: number;
  y: number;
  order: string;
}

export class Object3D {
  name: string;
  readonly position: Vector3;
  readonly rotation: Euler;
  readonly quaternion: Quaternion;
  add(...parts: Object3D[]): this;
  lookAt(target: Vector3): void;
  getObjectByName(name: string): Object3D | undefined;
  getWorldPosition(target: Vector3): Vector3;
  traverse(visit: (part: Object3D | Mesh) => void): void;
}

export interface Texture {
  colorSpace: string;
}

export interface Material {
  readonly name: string;
  readonly map: Texture | null;
  readonly aoMap?: Texture | null;
  readonly color: unknown;
  readonly side: number;
  readonly alphaTest: number;
  transparent: boolean;
  opacity: number;
  dispose(): void;
}

export class MeshBasicMaterial implements Material {
  constructor(properties: Readonly<Record<string, unknown>>);
  readonly name: string;
  readonly map: Texture | null;
  readonly color: unknown;
  readonly side: number;
  readonly alphaTest: number;
  transparent: boolean;
  opacity: number;
  dispose(): void;
}

export interface Mesh extends Object3D {
  readonly isMesh: true;
  readonly geometry: {
    readonly index: { readonly count: number } | null;
    readonly attributes: { readonly position: { readonly count: number } };
    dispose(): void;
  };
  material: Material | Material[];
}

export class Scene extends Object3D {
  readonly isScene: true;
}

export class HemisphereLight extends Object3D {
  constructor(sky: number, ground: number, intensity: number);
}

export class DirectionalLight extends Object3D {
  constructor(colour: number, intensity: number);
}

export class GridHelper extends Object3D {
  constructor(size: number, divisions: number, middle: number, lines: number);
  readonly material: Material;
}

export class PerspectiveCamera extends Object3D {
  constructor(angle: number, aspect: number, near: number, far: number);
  aspect: number;
  fov: number;
  updateProjectionMatrix(): void;
}

export class Box3 {
  readonly min: Vector3;
  readonly max: Vector3;
  setFromObject(part: Object3D, isPrecise: boolean): this;
  getSize(target: Vector3): Vector3;
  getCenter(target: Vector3): Vector3;
}

export class WebGLRenderer {
  constructor(options: { canvas: HTMLCanvasElement; antialias: boolean; alpha: boolean });
  setPixelRatio(ratio: number): void;
  setSize(width: number, height: number, updateStyle: boolean): void;
  render(scene: Scene, camera: PerspectiveCamera): void;
  dispose(): void;
  forceContextLoss(): void;
}

export interface AnimationClip {
  readonly name: string;
}

export interface AnimationAction {
  play(): this;
  stop(): this;
}

export class AnimationMixer {
  constructor(root: Object3D);
  clipAction(clip: AnimationClip): AnimationAction;
  update(seconds: number): void;
}

export class OrbitControls {
  constructor(camera: PerspectiveCamera, element: HTMLElement);
  readonly target: Vector3;
  update(): boolean;
  dispose(): void;
  addEventListener(type: "change", listener: () => void): void;
}

export class GLTFLoader {
  parseAsync(bytes: ArrayBuffer, path: string): Promise<{ scene: Object3D; animations: AnimationClip[] }>;
}
