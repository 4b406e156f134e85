/* Photos sharper than the overview: decoded when they are looked at, forgotten when memory would grow. */
const MOST_PIXELS = 36e6;
const AT_ONCE = 4;
const SIDES = [64, 128, 256, 512, 1024, 2048];

/** The file of a photo as it lies in this page; waits while the page is still being read. */
async function fileOf(photo) {
  const id = `photo-${photo}`;
  if (!$(id)) await pageRead;
  const bytes = Uint8Array.from(atob($(id).textContent), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: "image/webp" });
}

const pageRead = new Promise((resolve) => {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", resolve, { once: true });
  else resolve();
});

class Pictures {
  constructor(onArrival) {
    this.onArrival = onArrival;
    this.kept = new Map(); // photo -> { bitmap, side }, the one not looked at for longest first
    this.pixels = 0;
    this.most = MOST_PIXELS;
    this.queue = [];
    this.running = new Set();
    this.failed = new Set();
  }

  /** The sharpest picture of a photo there is by now. */
  best(photo) {
    const found = this.kept.get(photo);
    if (found) {
      this.kept.delete(photo);
      this.kept.set(photo, found);
    }
    return found?.bitmap;
  }

  /** These tiles are seen at this scale, the most important first; what was wanted before no longer is. */
  want(seen, scale) {
    this.seen = new Set(seen.map((tile) => tile.photo));
    this.queue = seen.map((tile) => this.wish(tile, scale)).filter((wish) => !this.has(wish));
    this.pump();
  }

  wish(tile, scale) {
    const [width, height] = drawing.photos[tile.photo];
    const [left, top, right, bottom] = tile.part;
    const crop = [(right - left) * width, (bottom - top) * height];
    const needed = Math.max(tile.width, tile.height) * scale;
    const side = Math.min(SIDES.find((step) => step >= needed * 0.95) ?? SIDES.at(-1), Math.max(...crop));
    return { photo: tile.photo, crop, left: left * width, top: top * height, side };
  }

  has({ photo, side }) {
    return this.running.has(photo) || this.failed.has(photo) || (this.kept.get(photo)?.side ?? 0) >= side;
  }

  pump() {
    while (this.running.size < AT_ONCE && this.queue.length) {
      const wish = this.queue.shift();
      if (!this.has(wish)) this.load(wish);
    }
  }

  async load({ photo, crop, left, top, side }) {
    this.running.add(photo);
    try {
      const factor = side / Math.max(...crop);
      const size = { resizeWidth: Math.max(1, Math.round(crop[0] * factor)), resizeHeight: Math.max(1, Math.round(crop[1] * factor)) };
      const file = await fileOf(photo);
      const bitmap = await createImageBitmap(file, left, top, ...crop, { ...size, resizeQuality: "medium" });
      this.keep(photo, bitmap, side);
    } catch (problem) {
      this.failed.add(photo);
      console.warn(`photo ${photo} cannot be shown sharply`, problem);
    }
    this.running.delete(photo);
    this.onArrival();
    this.pump();
  }

  keep(photo, bitmap, side) {
    this.forget(photo);
    this.kept.set(photo, { bitmap, side });
    this.pixels += bitmap.width * bitmap.height;
    for (const old of this.kept.keys()) {
      if (this.pixels <= this.most) break;
      if (!this.seen?.has(old)) this.forget(old);
    }
  }

  forget(photo) {
    const found = this.kept.get(photo);
    if (!found) return;
    this.pixels -= found.bitmap.width * found.bitmap.height;
    found.bitmap.close();
    this.kept.delete(photo);
  }
}
