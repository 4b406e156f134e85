"""What can be said about a layout: scores, misfits, alternatives and suggested pins.

- scores: how good a layout is: distance preservation, pin pull, leave-one-pin-out, coverage, semantic agreement
- insight: what can be said about a layout: significance, alternatives, the next pin, misfits, and what a fresh one
  gains
- region_names: names for regions of a sheet: the word most typical of a region, placed as on a map
- suggest: suggested pins: by preset (which cells, and which photos for them), or the photos of a word at a named
  place
"""
