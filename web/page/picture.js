/**
 * A picture to zoom into, pixel by pixel.
 * @module
 */
import { append, make } from "./elements.js";

/** Zoom and position that several pictures share. */
export class Zoom {
  /** Scale factor; 0 fits the picture into its frame. */
  scale = 0;
  /** Position of the frame's centre in the picture, both coordinates in [0, 1]. */
  x = 0.5;
  y = 0.5;
  /** @type {Set<() => void>} */
  readers = new Set();

  /** @param {Partial<Pick<Zoom, "scale" | "x" | "y">>} change */
  set(change) {
    Object.assign(this, change);
    this.x = Math.max(0, Math.min(1, this.x));
    this.y = Math.max(0, Math.min(1, this.y));
    for (const reader of this.readers) reader();
  }
}

const scales = [0.125, 0.25, 0.5, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32];

/**
 * @param {string} url
 * @param {Zoom} zoom
 * @param {string} title Read by screen readers.
 */
export function pictureView(url, zoom, title) {
  const image = make("img", { alt: title, draggable: "false" });
  const readout = make("output", { class: "readout" });
  const frame = make("div", {
    class: "frame checkered",
    tabindex: "0",
    role: "group",
    "aria-label": "picture: + and - zoom",
  }, image);
  const button = (/** @type {string} */ label, /** @type {string} */ does, /** @type {() => void} */ onclick) =>
    make("button", { type: "button", title: does, "aria-label": does, onclick }, label);
  const bar = make(
    "div",
    { class: "bar" },
    button("−", "zoom out (-)", () => step(-1)),
    button("+", "zoom in (+)", () => step(1)),
    button("1:1", "1:1, one pixel for one pixel (1)", () => zoom.set({ scale: 1 })),
    button("fit", "fit into the frame (0)", () => zoom.set({ scale: 0, x: 0.5, y: 0.5 })),
    readout,
  );
  /** @type {CanvasRenderingContext2D | null} */
  let pixels = null;

  const fitting = () => {
    const factor = Math.min(frame.clientWidth / image.naturalWidth, frame.clientHeight / image.naturalHeight);
    // Small pictures are enlarged by integer factors, up to eight.
    return factor >= 1 ? Math.min(8, Math.floor(factor)) : factor;
  };
  const scaleNow = () => zoom.scale || fitting() || 1;
  const draw = () => {
    if (!image.naturalWidth) return;
    const scale = scaleNow();
    const width = image.naturalWidth * scale;
    const height = image.naturalHeight * scale;
    const along = (/** @type {number} */ room, /** @type {number} */ size, /** @type {number} */ middle) =>
      size <= room ? (room - size) / 2 : Math.max(room - size, Math.min(0, room / 2 - size * middle));
    image.style.width = `${width}px`;
    image.style.height = `${height}px`;
    image.style.transform = `translate(${along(frame.clientWidth, width, zoom.x)}px, ${
      along(frame.clientHeight, height, zoom.y)
    }px)`;
    image.classList.toggle("pixelated", scale >= 1);
    readout.value = `${image.naturalWidth} × ${image.naturalHeight} · ${Math.round(scale * 100)} %`;
  };
  const step = (/** @type {number} */ direction) => {
    const now = scaleNow();
    const next = direction > 0
      ? scales.find((scale) => scale > now * 1.01)
      : scales.findLast((scale) => scale < now * 0.99);
    if (next !== undefined) zoom.set({ scale: next });
  };
  /** Returns the pixel at a screen position. @param {{ clientX: number, clientY: number }} event */
  const pixelAt = ({ clientX, clientY }) => {
    const box = image.getBoundingClientRect();
    const x = Math.floor((clientX - box.left) / box.width * image.naturalWidth);
    const y = Math.floor((clientY - box.top) / box.height * image.naturalHeight);
    return x >= 0 && y >= 0 && x < image.naturalWidth && y < image.naturalHeight ? { x, y } : undefined;
  };

  image.addEventListener("load", () => {
    const canvas = make("canvas");
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    pixels = canvas.getContext("2d", { willReadFrequently: true });
    pixels?.drawImage(image, 0, 0);
    draw();
  });
  image.addEventListener(
    "error",
    () => frame.replaceChildren(make("p", { class: "fault" }, "This picture cannot be shown.")),
  );
  frame.addEventListener("wheel", (event) => {
    event.preventDefault();
    const at = pixelAt(event);
    if (at) zoom.set({ x: at.x / image.naturalWidth, y: at.y / image.naturalHeight });
    step(event.deltaY < 0 ? 1 : -1);
  }, { passive: false });
  frame.addEventListener("keydown", ({ key, ctrlKey }) => {
    if (ctrlKey) return;
    if (key === "+" || key === "=") step(1);
    else if (key === "-") step(-1);
    else if (key === "0") zoom.set({ scale: 0, x: 0.5, y: 0.5 });
    else if (key === "1") zoom.set({ scale: 1 });
  });
  frame.addEventListener("pointerdown", (event) => {
    frame.setPointerCapture(event.pointerId);
    event.preventDefault();
    frame.focus();
  });
  frame.addEventListener("pointermove", (event) => {
    if (event.buttons & 1) {
      const scale = scaleNow();
      zoom.set({
        x: zoom.x - event.movementX / (image.naturalWidth * scale),
        y: zoom.y - event.movementY / (image.naturalHeight * scale),
      });
    }
    const at = pixelAt(event);
    if (!at || !pixels) return draw();
    const [red = 0, green = 0, blue = 0, opacity = 255] = pixels.getImageData(at.x, at.y, 1, 1).data;
    const hex = [red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("");
    readout.value = `${at.x}, ${at.y} · #${hex}${opacity === 255 ? "" : ` ${Math.round(opacity / 2.55)} %`}`;
  });
  frame.addEventListener("pointerleave", draw);
  const resizing = new ResizeObserver(draw);
  resizing.observe(frame);
  zoom.readers.add(draw);
  image.src = url;
  const element = make("div", { class: "picture" });
  append(element, frame, bar);
  return {
    element,
    end: () => {
      resizing.disconnect();
      zoom.readers.delete(draw);
    },
  };
}
