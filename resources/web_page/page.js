/* Everything put together: keys, buttons, the filter, and the first picture. */
const overview = $("overview");
const canvas = $("sheet");
const side = Math.max(...tiles.map((tile) => Math.max(tile.width, tile.height)), 1);
const viewport = new Viewport(drawing.width, drawing.height, side);
const sheet = new SheetCanvas(canvas, overview, viewport);
const largeView = new LargeView(sheet);

sheet.choose = (tile) => {
  sheet.chosen = tile;
  $("spoken").textContent = facts[tile.photo].words;
  viewport.reveal(tile);
  sheet.changed();
};

const acts = {
  "+": () => viewport.zoom(1.5),
  "=": () => viewport.zoom(1.5),
  "-": () => viewport.zoom(1 / 1.5),
  "0": () => viewport.fit(),
  Home: () => viewport.fit(),
  Enter: () => sheet.chosen && largeView.open(sheet.chosen),
  " ": () => sheet.chosen && largeView.open(sheet.chosen),
  Escape: () => (sheet.chosen = null),
  "/": () => $("filter").focus(),
  t: changeTheme,
  n: changeNames,
  p: () => print(),
};

function changeTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

function changeNames() {
  sheet.showsNames = !sheet.showsNames && drawing.names.length > 0;
  $("names").setAttribute("aria-pressed", sheet.showsNames);
}
$("names").hidden = !drawing.names.length;

/** Arrows move from photo to photo, with shift they move the sheet. */
function arrow(across, down, shifted) {
  if (largeView.isOpen) return largeView.go(across, down);
  if (shifted) return viewport.pan((-across * viewport.width) / 4, (-down * viewport.height) / 4);
  const allowed = (tile) => sheet.matching?.has(tile) ?? true;
  const next = sheet.chosen ? neighbour(sheet.chosen, across, down, allowed) : tiles.find(allowed);
  if (next) sheet.choose(next);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select")) return;
  const way = event.key.startsWith("Arrow") && DIRECTIONS[event.key.slice(5).toLowerCase()];
  const pressing = event.target.closest("button") && (event.key === "Enter" || event.key === " ");
  const act = !largeView.isOpen && !pressing && acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!way && !act) return;
  event.preventDefault();
  if (way) arrow(...way, event.shiftKey);
  else act();
  sheet.changed();
});

for (const [id, key] of [["smaller", "-"], ["larger", "+"], ["whole", "0"], ["theme", "t"], ["print", "p"], ["names", "n"]]) {
  $(id).addEventListener("click", () => {
    acts[key]();
    sheet.changed();
  });
}

function filter() {
  const words = plain($("filter").value).split(/\s+/).filter(Boolean);
  const passes = facetTest();
  const named = (tile) => words.every((word) => facts[tile.photo].searched.includes(word));
  const found = tiles.filter((tile) => named(tile) && (!passes || passes(tile.photo)));
  const filtered = words.length > 0 || passes !== null;
  sheet.matching = filtered ? new Set(found) : null;
  const total = facts.length;
  const { one, many, some } = drawing.texts;
  const all = total === 1 ? one : many.replace("{total}", number(total));
  const shown = new Set(found.map((tile) => tile.photo)).size;
  $("count").textContent = filtered ? some.replace("{found}", number(shown)).replace("{all}", all) : all;
  sheet.changed();
}

$("filter").addEventListener("input", filter);
for (const id of ["value", "low", "high"]) $(id).addEventListener("input", filter);
$("column").addEventListener("input", () => {
  showColumn();
  filter();
});
$("filter").addEventListener("keydown", (event) => {
  if (event.key === "Escape" && $("filter").value) {
    $("filter").value = "";
    filter();
    event.preventDefault();
  } else if (event.key === "Escape" || event.key === "Enter") canvas.focus();
});
$("filter").hidden = !facts.some(({ name, date }) => name || date);

new Pointer(sheet, (tile) => {
  sheet.chosen = null;
  sheet.changed();
  if (tile) largeView.open(tile);
});

filter();
overview.decode().then(() => {
  canvas.hidden = false;
  document.documentElement.classList.add("drawn");
  new ResizeObserver(() => sheet.resize()).observe(canvas);
  document.fonts.load(`20px ${OWN_FONT}`).then(() => sheet.changed());
  requestAnimationFrame(() => performance.mark("interactive"));
});
globalThis.album = Object.freeze({ sheet, viewport, largeView, tiles, facts });
