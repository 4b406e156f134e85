"""What can be said about a layout: scores, misfits, alternatives and suggested pins.

- behind: whether an edited sheet is visibly worse than one arranged afresh
- scores: how good a layout is: distance preservation, pin pull, leave-one-pin-out, coverage, semantic agreement
- insight: what can be said about a layout: its significance, alternatives, the next pin, pins that disagree, misfits
- quality: the scores of a whole document's layout: everything that the quality panel shows
- place_pins: pins at a named place of a sheet: the photos that suit a word best go to a corner, an edge, the middle or
  a cell
- region_names: names for regions of a sheet: the word most typical of a region, placed as on a map
- suggest: pins by preset: which cells, and which photos for them
"""
