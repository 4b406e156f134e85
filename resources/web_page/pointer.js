/* Mouse, pen and fingers on the sheet: one drags, two pinch, the wheel zooms, a tap opens. */
const TAP_PIXELS = 6;
const FLING_MS = 110;

class Pointer {
  constructor(sheet, onTap) {
    Object.assign(this, { sheet, onTap });
    this.down = new Map(); // pointer -> where it is
    const { canvas } = sheet;
    canvas.addEventListener("pointerdown", (event) => this.pressed(event));
    canvas.addEventListener("pointermove", (event) => this.moved(event));
    canvas.addEventListener("pointerup", (event) => this.released(event));
    canvas.addEventListener("pointercancel", (event) => this.lost(event));
    canvas.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
  }

  place(event) {
    const { left, top } = this.sheet.canvas.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top, time: event.timeStamp };
  }

  pressed(event) {
    if (event.button) return;
    this.sheet.canvas.setPointerCapture(event.pointerId);
    this.down.set(event.pointerId, this.place(event));
    this.travelled = this.down.size > 1 ? Infinity : 0;
    this.speed = [0, 0];
  }

  moved(event) {
    const { viewport, canvas } = this.sheet;
    const before = this.down.get(event.pointerId);
    const place = this.place(event);
    if (!before) return canvas.classList.toggle("over", Boolean(this.tile(place)));
    const across = place.x - before.x;
    const down = place.y - before.y;
    this.travelled += Math.hypot(across, down);
    if (this.down.size === 2) this.pinch(event.pointerId, before, place);
    else if (this.travelled > TAP_PIXELS) {
      canvas.classList.add("held");
      viewport.pan(across, down, false);
      const passed = Math.max(1, place.time - before.time);
      this.speed = [across / passed, down / passed];
    }
    this.down.set(event.pointerId, place);
    this.sheet.changed();
  }

  pinch(pointer, before, place) {
    const other = [...this.down].find(([key]) => key !== pointer)[1];
    const spread = (point) => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
    const { viewport } = this.sheet;
    viewport.pan((place.x - before.x) / 2, (place.y - before.y) / 2, false);
    viewport.zoom(spread(place) / spread(before), (place.x + other.x) / 2, (place.y + other.y) / 2, false);
  }

  tile({ x, y }) {
    const { viewport } = this.sheet;
    return tileAt(...viewport.toSheet(x, y), TAP_PIXELS / viewport.now.scale);
  }

  released(event) {
    const place = this.down.get(event.pointerId);
    this.lost(event);
    if (!place || this.down.size) return;
    const { viewport } = this.sheet;
    if (this.travelled <= TAP_PIXELS) this.onTap(this.tile(place));
    else if (event.timeStamp - place.time < 60 && !calm.matches) {
      viewport.pan(this.speed[0] * FLING_MS, this.speed[1] * FLING_MS);
      this.sheet.changed();
    }
  }

  lost(event) {
    this.down.delete(event.pointerId);
    this.sheet.canvas.classList.remove("held");
  }

  wheeled(event) {
    event.preventDefault();
    const { x, y } = this.place(event);
    const lines = event.deltaMode === 1 ? 30 : 1;
    const notch = Math.max(-240, Math.min(240, event.deltaY * lines));
    this.sheet.viewport.zoom(Math.exp(-notch / (event.ctrlKey ? 120 : 350)), x, y);
    this.sheet.changed();
  }
}
