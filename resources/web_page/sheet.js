/* The sheet on its canvas: the overview as long as it is sharp enough, else everything in view drawn anew. */
const OWN_FONT = '"Aileron"';
const FONT = 'Helvetica, Arial, "DejaVu Sans", sans-serif';
const SMALLEST_TEXT = 3;
const VEIL = 0.86;
const NAME_SIZE = 20; // of the words over regions, in pixels of the screen

class SheetCanvas {
  constructor(canvas, overview, viewport) {
    Object.assign(this, { canvas, overview, viewport });
    this.context = canvas.getContext("2d");
    this.pictures = new Pictures(() => this.changed());
    this.matching = null; // tiles that the filter lets through; null without a filter
    this.chosen = null;
    this.showsNames = drawing.names.length > 0;
    this.last = 0;
  }

  /** Draw soon, and on until everything has come to rest. */
  changed() {
    this.frame ??= requestAnimationFrame((time) => this.draw(time));
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas;
    this.ratio = devicePixelRatio || 1;
    this.canvas.width = Math.round(clientWidth * this.ratio);
    this.canvas.height = Math.round(clientHeight * this.ratio);
    this.viewport.resize(clientWidth, clientHeight);
    this.changed();
  }

  draw(time) {
    this.frame = undefined;
    const moving = this.viewport.step(Math.min(100, Math.max(8, time - this.last)));
    this.last = time;
    const { context, ratio, viewport } = this;
    const { scale, x, y } = viewport.now;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.setTransform(scale * ratio, 0, 0, scale * ratio, x * ratio, y * ratio);
    context.imageSmoothingQuality = "high";
    const sharpness = this.overview.naturalWidth / drawing.width;
    if (scale * ratio <= sharpness * 1.02) this.drawOverview();
    else this.drawItems(sharpness, moving);
    this.drawVeil();
    if (this.showsNames) this.drawNames();
    this.drawChosen();
    if (moving) this.changed();
  }

  drawOverview() {
    this.context.drawImage(this.overview, 0, 0, drawing.width, drawing.height);
    this.pictures.want([], 1);
  }

  drawItems(sharpness, moving) {
    const seen = [];
    for (const item of this.inView(items)) {
      if (item.line !== undefined) this.drawText(item);
      else if (item.photo === undefined) this.drawBox(item);
      else {
        this.drawPhoto(item, sharpness);
        seen.push(item);
      }
    }
    if (moving && this.pictures.queue.length) return;
    const [x, y] = this.viewport.toSheet(this.viewport.width / 2, this.viewport.height / 2);
    const distance = (tile) => Math.hypot(tile.x + tile.width / 2 - x, tile.y + tile.height / 2 - y);
    seen.sort((one, other) => distance(one) - distance(other));
    this.pictures.want(seen, this.viewport.goal.scale * this.ratio);
  }

  *inView(list) {
    const { width, height } = this.viewport;
    const [left, top] = this.viewport.toSheet(0, 0);
    const [right, bottom] = this.viewport.toSheet(width, height);
    for (const item of list) {
      const above = item.line === undefined ? 0 : item.size;
      if (item.y - above > bottom || item.y + (item.height ?? above) < top) continue;
      if (item.line !== undefined || (item.x <= right && item.x + item.width >= left)) yield item;
    }
  }

  drawBox({ colour, ...rect }) {
    this.context.fillStyle = colour;
    if (rect.radius > 0) {
      this.round(rect);
      this.context.fill();
    } else this.context.fillRect(rect.x, rect.y, rect.width, rect.height);
  }

  drawPhoto(tile, sharpness) {
    const { context } = this;
    const bitmap = this.pictures.best(tile.photo);
    if (tile.radius > 0) {
      context.save();
      this.round(tile);
      context.clip();
    }
    const place = [tile.x, tile.y, tile.width, tile.height];
    if (bitmap) context.drawImage(bitmap, ...place);
    else context.drawImage(this.overview, ...place.map((length) => length * sharpness), ...place);
    if (tile.radius > 0) context.restore();
  }

  drawText({ colour, x, y, size, line, own }) {
    if (size * this.viewport.now.scale < SMALLEST_TEXT) return;
    const { context } = this;
    context.font = `${size}px ${own ? `${OWN_FONT}, ` : ""}${FONT}`;
    context.textAlign = "center";
    context.fillStyle = colour;
    context.fillText(line, x, y);
  }

  drawVeil() {
    if (!this.matching) return;
    const { context } = this;
    context.globalAlpha = VEIL;
    context.fillStyle = drawing.background ?? getComputedStyle(document.body).backgroundColor;
    for (const tile of this.inView(tiles)) {
      const { x, y, width, height } = tile.framed;
      if (!this.matching.has(tile)) context.fillRect(x, y, width, height);
    }
    context.globalAlpha = 1;
  }

  /** Words over regions, white with a dark rim and of the same size at any zoom, kept inside the sheet's width. */
  drawNames() {
    const { context } = this;
    const size = NAME_SIZE / this.viewport.now.scale;
    context.font = `600 ${size}px ${FONT}`;
    context.textAlign = "center";
    context.lineJoin = "round";
    context.lineWidth = size / 5;
    context.strokeStyle = "rgba(0, 0, 0, 0.67)";
    context.fillStyle = "#fff";
    for (const [word, x, y] of drawing.names) {
      const half = Math.min(context.measureText(word).width, drawing.width) / 2;
      const middle = Math.min(Math.max(x, half), drawing.width - half);
      context.strokeText(word, middle, y + 0.35 * size);
      context.fillText(word, middle, y + 0.35 * size);
    }
  }

  drawChosen() {
    this.canvas.classList.toggle("choosing", Boolean(this.chosen));
    if (!this.chosen) return;
    const { context } = this;
    const scale = this.viewport.now.scale;
    for (const [width, colour] of [[5, "#fff"], [3, "#1f66c1"]]) {
      context.lineWidth = width / scale;
      context.strokeStyle = colour;
      this.round(this.chosen);
      context.stroke();
    }
  }

  round({ x, y, width, height, radius }) {
    this.context.beginPath();
    this.context.roundRect(x, y, width, height, radius);
  }
}
