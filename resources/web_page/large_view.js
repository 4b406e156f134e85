/* One photo as large as the page carries it, with its name, caption, columns and date; arrows walk over the sheet. */
const DIRECTIONS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };
const SWIPE = 40;
const GROW_MS = 200;

class LargeView {
  constructor(sheet) {
    this.sheet = sheet;
    this.dialog = $("large");
    this.image = $("photo");
    for (const [name, way] of Object.entries(DIRECTIONS)) $(name).addEventListener("click", () => this.go(...way));
    $("close").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("close", () => this.closed());
    this.dialog.addEventListener("pointerdown", (event) => (this.start = event));
    this.dialog.addEventListener("pointerup", (event) => this.released(event));
  }

  get isOpen() {
    return this.dialog.open;
  }

  async open(tile) {
    this.tile = tile;
    const whence = this.sheet.viewport.toScreen(tile);
    this.dialog.showModal();
    await this.show(tile);
    if (this.isOpen && !calm.matches) this.grow(whence);
  }

  async show(tile) {
    this.tile = tile;
    const { name, about, date, words } = facts[tile.photo];
    for (const [id, way] of Object.entries(DIRECTIONS)) $(id).disabled = !this.next(...way);
    const url = URL.createObjectURL(await fileOf(tile.photo));
    if (this.tile !== tile) return URL.revokeObjectURL(url);
    URL.revokeObjectURL(this.image.src);
    this.image.src = url;
    this.image.alt = words;
    $("name").textContent = name;
    $("about").textContent = about.join(" · ");
    $("date").textContent = date;
    await this.image.decode().catch(() => {});
  }

  next(across, down) {
    return neighbour(this.tile, across, down, (tile) => this.sheet.matching?.has(tile) ?? true);
  }

  go(across, down) {
    const next = this.next(across, down);
    if (next) this.show(next);
  }

  grow(whence) {
    const goal = this.shown;
    const bar = this.sheet.canvas.getBoundingClientRect();
    const scale = Math.max(whence.width / goal.width, whence.height / goal.height);
    const across = bar.x + whence.x + whence.width / 2 - goal.x - goal.width / 2;
    const down = bar.y + whence.y + whence.height / 2 - goal.y - goal.height / 2;
    const first = `translate(${across}px, ${down}px) scale(${scale})`;
    this.image.animate({ transform: [first, "none"], opacity: [0.4, 1] }, { duration: GROW_MS, easing: "ease-out" });
  }

  /** A swipe walks the other way, as if the sheet were drawn along; a tap beside the photo closes. */
  released(event) {
    if (event.target.closest("button") || !this.start) return;
    const across = event.clientX - this.start.clientX;
    const down = event.clientY - this.start.clientY;
    if (Math.max(Math.abs(across), Math.abs(down)) < SWIPE) {
      if (!this.covers(event) && !event.target.closest("figcaption")) this.dialog.close();
    } else if (Math.abs(across) > Math.abs(down)) this.go(-Math.sign(across), 0);
    else this.go(0, -Math.sign(down));
  }

  /** Where the photo is, which fills its frame in one direction only. */
  get shown() {
    const { x, y, width, height } = this.image.getBoundingClientRect();
    const { naturalWidth, naturalHeight } = this.image;
    const scale = Math.min(width / naturalWidth, height / naturalHeight);
    const size = { width: naturalWidth * scale, height: naturalHeight * scale };
    return { x: x + (width - size.width) / 2, y: y + (height - size.height) / 2, ...size };
  }

  covers({ clientX, clientY }) {
    const { x, y, width, height } = this.shown;
    return clientX >= x && clientX < x + width && clientY >= y && clientY < y + height;
  }

  closed() {
    this.sheet.choose(this.tile);
    this.sheet.canvas.focus();
  }
}
