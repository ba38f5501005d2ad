// @ts-self-types="./three.d.ts"
/**
 * The parts of the package three that show models. Loaded when a model or map is opened; the server replaces the
 * package's names with paths.
 * @module
 */
export * from "three";
export { OrbitControls } from "three/addons/controls/OrbitControls.js";
export { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
