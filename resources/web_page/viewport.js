/* Which part of the sheet is seen: where it is now, and where it is gliding to. */
const PAD = 12; // around the whole sheet
const EASE_MS = 75;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

class Viewport {
  constructor(sheetWidth, sheetHeight, tileSide) {
    this.sheet = { width: sheetWidth, height: sheetHeight };
    this.tileSide = tileSide;
    this.width = this.height = 1;
    this.now = { scale: 0, x: 0, y: 0 }; // screen = sheet * scale + (x, y)
    this.goal = { ...this.now };
  }

  get fitting() {
    const { width, height } = this.sheet;
    return Math.max(1e-6, Math.min((this.width - 2 * PAD) / width, (this.height - 2 * PAD) / height));
  }

  get largest() {
    return Math.max(2 * this.fitting, Math.min(this.width, this.height) / this.tileSide);
  }

  /** The window has another size: the whole sheet stays whole, any other view keeps its middle. */
  resize(width, height) {
    const whole = this.goal.scale <= this.fitting * 1.001;
    const [x, y] = this.toSheet(this.width / 2, this.height / 2);
    Object.assign(this, { width, height });
    if (whole) return this.fit(false);
    this.aim({ ...this.goal, x: width / 2 - x * this.goal.scale, y: height / 2 - y * this.goal.scale }, false);
  }

  fit(smoothly = true) {
    this.aim({ scale: this.fitting, x: 0, y: 0 }, smoothly);
  }

  zoom(factor, x = this.width / 2, y = this.height / 2, smoothly = true) {
    const { scale, x: left, y: top } = this.goal;
    const next = Math.min(this.largest, Math.max(this.fitting, scale * factor));
    const ratio = next / scale;
    this.aim({ scale: next, x: x - (x - left) * ratio, y: y - (y - top) * ratio }, smoothly);
  }

  pan(across, down, smoothly = true) {
    this.aim({ ...this.goal, x: this.goal.x + across, y: this.goal.y + down }, smoothly);
  }

  /** Move just as far as needed for a rectangle of the sheet to be seen. */
  reveal({ x, y, width, height }) {
    const { scale, x: left, y: top } = this.goal;
    const shift = (start, length, room) => Math.min(0, room - PAD - start - length) || Math.max(0, PAD - start);
    this.pan(
      shift(left + x * scale, width * scale, this.width),
      shift(top + y * scale, height * scale, this.height),
    );
  }

  toSheet(x, y, view = this.now) {
    return [(x - view.x) / view.scale, (y - view.y) / view.scale];
  }

  toScreen({ x, y, width, height }) {
    const { scale, x: left, y: top } = this.now;
    return { x: left + x * scale, y: top + y * scale, width: width * scale, height: height * scale };
  }

  aim(view, smoothly) {
    const within = (start, length, room) =>
      length <= room - 2 * PAD + 0.01 ? (room - length) / 2 : Math.min(PAD, Math.max(room - PAD - length, start));
    this.goal = {
      scale: view.scale,
      x: within(view.x, this.sheet.width * view.scale, this.width),
      y: within(view.y, this.sheet.height * view.scale, this.height),
    };
    if (!smoothly || calm.matches) this.now = { ...this.goal };
  }

  /** Glide for some milliseconds; whether there is a way left to go. */
  step(milliseconds) {
    const share = 1 - Math.exp(-milliseconds / EASE_MS);
    const { now, goal } = this;
    for (const key of ["scale", "x", "y"]) now[key] += (goal[key] - now[key]) * share;
    const left = Math.hypot(goal.x - now.x, goal.y - now.y) + Math.abs(goal.scale / now.scale - 1) * this.width;
    if (left < 0.3) this.now = { ...goal };
    return left >= 0.3;
  }
}
