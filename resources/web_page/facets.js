/* Filters by columns: one column at a time, by one of its values or by a range. */
const DAY_ZERO = 719163; // days from the first of January of the year 1 to that of 1970
const { facets } = drawing;

/** The value that a reader typed, as the page keeps it; null for nothing, NaN for what is no value. */
function typed(input, kind, last) {
  const words = input.value.trim();
  if (!words) return null;
  if (kind === "number") return Number(words.replace(",", "."));
  const found = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(words);
  if (!found) return NaN;
  const [year, month, day] = found.slice(1).map((part) => part && Number(part));
  const next = last ? [day ? 0 : month ? 0 : 1, day ? 0 : month ? 1 : 0, day ? 1 : 0] : [0, 0, 0];
  const date = Date.UTC(year + next[0], (month ?? 1) - 1 + next[1], (day ?? 1) + next[2]);
  return date / 86400000 + DAY_ZERO - (last ? 1e-6 : 0);
}

/** Whether the chosen column lets a photo through, as a function of its number; null where nothing is chosen. */
function facetTest() {
  const facet = facets[$("column").selectedIndex];
  if (!facet) return null;
  if (facet.kind === "text") {
    const label = $("value").value;
    return label === "" ? null : (photo) => facet.of[photo].includes(Number(label));
  }
  const ends = [typed($("low"), facet.kind, false), typed($("high"), facet.kind, true)];
  for (const [place, id] of ["low", "high"].entries()) {
    $(id).setCustomValidity(Number.isNaN(ends[place]) ? "?" : "");
    if (Number.isNaN(ends[place])) ends[place] = null;
  }
  const [low, high] = ends;
  if (low === null && high === null) return null;
  return (photo) => {
    const value = facet.values[photo];
    return value !== null && (low === null || value >= low) && (high === null || value <= high);
  };
}

function showColumn() {
  const facet = facets[$("column").selectedIndex];
  const isText = facet.kind === "text";
  $("value").hidden = !isText;
  for (const [place, id] of ["low", "high"].entries()) {
    $(id).hidden = isText;
    $(id).value = "";
    $(id).placeholder = isText ? "" : facet.ends[place];
  }
  if (!isText) return;
  const counts = new Array(facet.labels.length).fill(0);
  for (const labels of facet.of) for (const label of labels) counts[label] += 1;
  const options = facet.labels.map((label, place) => new Option(`${label} (${number(counts[place])})`, place));
  $("value").replaceChildren(new Option(drawing.texts.all_values, ""), ...options.filter((_, k) => counts[k]));
}

if (facets.length) {
  $("facets").hidden = false;
  $("column").replaceChildren(...facets.map(({ title }) => new Option(title)));
  showColumn();
}
