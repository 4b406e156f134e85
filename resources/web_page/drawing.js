/* What is drawn where, in the sheet's own pixels, in the order it was drawn: boxes, photos, lines of text. */
const $ = (id) => document.getElementById(id);

/** A whole number, its thousands apart as in the language of the page. */
const number = (value) => value.toLocaleString(document.documentElement.lang);

const drawing = JSON.parse($("drawing").textContent);
const facts = Array.from($("facts").children, (line) => ({
  name: line.querySelector("span")?.textContent ?? "",
  about: Array.from(line.querySelectorAll("em"), (said) => said.textContent.trim()),
  date: line.querySelector("time")?.textContent ?? "",
  words: line.textContent,
  searched: plain(`${line.textContent} ${line.querySelector("time")?.dateTime ?? ""}`),
}));
const items = drawing.items.map(readItem);
const tiles = items.filter((item) => item.photo !== undefined);

for (const [place, tile] of items.entries()) if (tile.photo !== undefined) tile.framed = framed(tile, items[place - 1]);

/** The rectangle of a photo with the frame around it: a box that was drawn just before it and is as wide on all sides. */
function framed(tile, box) {
  if (box?.width === undefined || box.photo !== undefined) return tile;
  const sides = [tile.x - box.x, tile.y - box.y];
  sides.push(box.x + box.width - tile.x - tile.width, box.y + box.height - tile.y - tile.height);
  return Math.min(...sides) >= 0 && Math.max(...sides) - Math.min(...sides) < 0.5 ? box : tile;
}

function readItem([what, x, y, ...rest]) {
  if (typeof rest[1] === "string") return { colour: what, x, y, size: rest[0], line: rest[1], own: rest[2] };
  const [width, height, radius, ...part] = rest;
  const rect = { x, y, width, height, radius };
  if (typeof what !== "number") return { ...rect, colour: what };
  return { ...rect, photo: what, part: part.length ? part : [0, 0, 1, 1] }; // which share of the photo is seen
}

/** A text without accents and capitals, as people type it into a filter. */
function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The tile under a point of the sheet, or the nearest one within reach. */
function tileAt(x, y, reach) {
  let best = null;
  for (const tile of tiles) {
    const aside = Math.max(tile.x - x, x - tile.x - tile.width, 0);
    const below = Math.max(tile.y - y, y - tile.y - tile.height, 0);
    const distance = Math.hypot(aside, below);
    if (distance <= reach) [best, reach] = [tile, distance];
  }
  return best;
}

/** The nearest tile in a direction, straight ahead before aslant; only among those that `allowed` lets through. */
function neighbour(tile, across, down, allowed) {
  const centre = (other) => [other.x + other.width / 2, other.y + other.height / 2];
  const [x, y] = centre(tile);
  let best = null;
  let least = Infinity;
  for (const other of tiles) {
    const [otherX, otherY] = centre(other);
    const ahead = (otherX - x) * across + (otherY - y) * down;
    const aside = Math.abs((otherX - x) * down) + Math.abs((otherY - y) * across);
    if (ahead < tile.width / 4 || aside > ahead || !allowed(other)) continue;
    if (ahead + 3 * aside < least) [best, least] = [other, ahead + 3 * aside];
  }
  return best;
}
