"""What can be said about a layout: scores, misfits, alternatives and suggested pins.

- scores: how good a layout is: distance preservation, pin pull, leave-one-pin-out, coverage, semantic agreement
- insight: what can be said beside a layout: its significance, other photos and places, the next pin, pins that
  disagree
- misfits: photos that look out of place on a sheet: unlike all around them, and no surer of this cell than of another
- quality: the scores of a whole document's layout: everything that the quality panel shows
- suggest: pins by preset: which cells, and which photos for them
"""
