/**
 * An interactive model or map, drawn by the package three.
 * @module
 */
import { make } from "./elements.js";

/** Radians per pixel of dragging the camera of a map. */
const turnPerPixel = 0.005;
/** Seconds in which a held key flies through a map. */
const crossingTime = 6;

/** Metres from the floor to the eyes of a player of Doom. */
const eyes = 41 / 32;

/**
 * Returns where a player starts, and the height of the eyes above it.
 * @param {import("./three.js").Object3D} model
 * @returns {[start: import("./three.js").Object3D | undefined, height: number]}
 */
function startOf(model) {
  const quake = model.getObjectByName("info_player_start") ?? model.getObjectByName("info_player_deathmatch");
  // Loaders of glTF replace blanks.
  const doom = model.getObjectByName("thing_1") ?? model.getObjectByName("thing_11");
  return quake ? [quake, 0] : [doom, eyes];
}

/**
 * Shows a binary glTF.
 * @param {ArrayBuffer} bytes
 * @param {string} qpath
 * @returns {Promise<import("./content.js").Content>}
 */
export async function modelView(bytes, qpath) {
  const three = await import("./three.js");
  const { scene: model, animations } = await new three.GLTFLoader().parseAsync(bytes, "");
  // A map of Doom has the name of its lump.
  const isMap = /\.(?:bsp|wad|map)$/i.test(qpath) || model.getObjectByName("map") !== undefined;
  const canvas = make("canvas", { tabindex: "0", "aria-label": `${qpath} in three dimensions` });
  const renderer = new three.WebGLRenderer({ canvas, antialias: true, alpha: true });
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  const scene = new three.Scene();
  scene.add(model, new three.HemisphereLight(0xffffff, 0x777766, isMap ? 3 : 2));
  const box = new three.Box3().setFromObject(model, true);
  const size = box.getSize(new three.Vector3());
  const middle = box.getCenter(new three.Vector3());
  const radius = Math.max(size.length() / 2, 1e-3);
  const camera = new three.PerspectiveCamera(isMap ? 75 : 40, 1, radius / 2000, radius * 20);
  const lamp = new three.DirectionalLight(0xffffff, isMap ? 0.6 : 1.8);
  camera.add(lamp);
  lamp.position.set(0.5, 1, 1);
  scene.add(camera);
  if (!isMap) {
    const floor = new three.GridHelper(radius * 4, 16, 0x808080, 0x505050);
    floor.position.set(middle.x, box.min.y, middle.z);
    floor.material.transparent = true;
    floor.material.opacity = 0.35;
    scene.add(floor);
  }

  const mixer = new three.AnimationMixer(model);
  /** @type {ReturnType<typeof mixer.clipAction> | undefined} */
  let action;
  const held = new Set();
  let frame = 0;
  let isEnded = false;
  let before = performance.now();
  /** Draws once, and again while something moves. */
  const draw = () => {
    frame = 0;
    if (isEnded) return;
    const now = performance.now();
    const seconds = Math.min(0.1, (now - before) / 1000);
    before = now;
    mixer.update(seconds);
    const isFlying = isMap && fly(seconds);
    renderer.render(scene, camera);
    canvas.dataset.frames = String(Number(canvas.dataset.frames ?? 0) + 1);
    if (action || isFlying) request();
  };
  const request = () => {
    if (frame === 0) {
      frame = requestAnimationFrame(draw);
    }
  };

  const controls = isMap ? undefined : new three.OrbitControls(camera, canvas);
  const home = () => {
    if (isMap) {
      const [start, height] = startOf(model);
      if (start) start.getWorldPosition(camera.position).y += height;
      else camera.position.set(middle.x, box.max.y + size.y * 0.6, box.max.z + radius * 0.5);
      camera.lookAt(middle);
    } else {
      const distance = radius / Math.sin(camera.fov * Math.PI / 360) * 1.05;
      camera.position.set(middle.x + distance * 0.55, middle.y + distance * 0.35, middle.z + distance * 0.76);
      controls?.target.copy(middle);
      controls?.update();
    }
    request();
  };
  controls?.addEventListener("change", request);

  /** Moves the camera according to the pressed keys; returns whether any is pressed. @param {number} seconds */
  const fly = (seconds) => {
    const along = (/** @type {string} */ forth, /** @type {string} */ back) =>
      Number(held.has(forth)) - Number(held.has(back));
    const move = new three.Vector3(along("d", "a"), along("e", "q"), along("s", "w"));
    if (move.lengthSq() === 0) return false;
    const speed = radius * 2 / crossingTime * (held.has("shift") ? 3 : 1);
    camera.position.add(move.applyQuaternion(camera.quaternion).multiplyScalar(speed * seconds));
    return true;
  };
  const arrows = new Map([["arrowup", "w"], ["arrowdown", "s"], ["arrowleft", "a"], ["arrowright", "d"]]);
  const keyOf = (/** @type {KeyboardEvent} */ { key }) => arrows.get(key.toLowerCase()) ?? key.toLowerCase();
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "0") home();
    if (!isMap || !["w", "a", "s", "d", "q", "e", "shift"].includes(keyOf(event))) return;
    event.preventDefault();
    event.stopPropagation();
    if (held.size === 0) before = performance.now();
    held.add(keyOf(event));
    request();
  });
  canvas.addEventListener("keyup", (event) => held.delete(keyOf(event)));
  canvas.addEventListener("blur", () => held.clear());
  canvas.addEventListener("pointerdown", (event) => {
    canvas.focus();
    if (isMap) canvas.setPointerCapture(event.pointerId);
  });
  if (isMap) {
    camera.rotation.order = "YXZ";
    canvas.addEventListener("pointermove", (event) => {
      if (!(event.buttons & 1)) return;
      camera.rotation.y += event.movementX * turnPerPixel;
      const pitch = camera.rotation.x + event.movementY * turnPerPixel;
      camera.rotation.x = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, pitch));
      request();
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const step = new three.Vector3(0, 0, Math.sign(event.deltaY) * radius / 20);
      camera.position.add(step.applyQuaternion(camera.quaternion));
      request();
    }, { passive: false });
  }

  let triangles = 0;
  /** @type {import("./three.js").Material[]} */
  const materials = [];
  /** @type {Map<import("./three.js").Material, import("./three.js").Material>} */
  const lit = new Map();
  /** Returns a material with the light map, which glTF stores as occlusion. @param {import("./three.js").Material} own */
  const withLight = (own) => {
    const { name, map, color, side, alphaTest, transparent, opacity, aoMap } = own;
    if (!aoMap) return own;
    aoMap.colorSpace = "srgb";
    const shown = lit.get(own) ?? new three.MeshBasicMaterial({
      ...{ name, map, color, side, alphaTest, transparent, opacity },
      ...{ lightMap: aoMap, lightMapIntensity: Math.PI },
    });
    lit.set(own, shown);
    return shown;
  };
  model.traverse((part) => {
    if (!("isMesh" in part)) return;
    if (!Array.isArray(part.material)) part.material = withLight(part.material);
    const { geometry, material } = part;
    triangles += (geometry.index ?? geometry.attributes.position).count / 3;
    materials.push(...(Array.isArray(material) ? material : [material]));
  });
  const wires = make("input", { type: "checkbox" });
  wires.addEventListener("change", () => {
    for (const material of materials) Object.assign(material, { wireframe: wires.checked });
    request();
  });
  const play = (/** @type {string} */ name) => {
    action?.stop();
    const clip = animations.find((item) => item.name === name);
    action = clip && mixer.clipAction(clip).play();
    before = performance.now();
    request();
  };
  const choice = animations.length > 0 && make(
    "select",
    {
      "aria-label": "animation",
      onchange: (/** @type {Event & { target: HTMLSelectElement }} */ event) => play(event.target.value),
    },
    make("option", { value: "" }, "no animation"),
    ...animations.map(({ name }) => make("option", { value: name }, name)),
  );
  const hint = isMap ? "W A S D Q E fly, Shift faster, drag to look" : "drag to turn, wheel to zoom";
  const facts = make(
    "output",
    { class: "readout" },
    `${Math.round(triangles).toLocaleString("en")} triangles · ${hint}`,
  );
  const reset = make("button", { type: "button", title: "first position (0)", onclick: home }, "reset");
  const bar = make("div", { class: "bar" }, choice, make("label", {}, wires, " wires"), reset, facts);
  const stage = make("div", { class: isMap ? "stage3d sky" : "stage3d" }, canvas);
  const element = make("div", { class: "model" }, stage, bar);

  const resizing = new ResizeObserver(() => {
    const { clientWidth, clientHeight } = stage;
    if (clientWidth === 0 || clientHeight === 0) return;
    renderer.setSize(clientWidth, clientHeight, false);
    camera.aspect = clientWidth / clientHeight;
    camera.updateProjectionMatrix();
    request();
  });
  resizing.observe(stage);
  home();
  return {
    element,
    end: () => {
      isEnded = true;
      cancelAnimationFrame(frame);
      resizing.disconnect();
      controls?.dispose();
      model.traverse((part) => "geometry" in part && part.geometry.dispose());
      for (const material of materials) material.dispose();
      renderer.dispose();
      renderer.forceContextLoss();
    },
  };
}
