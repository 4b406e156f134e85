"""Time as an axis of a sheet.

- time_edits: a timeline begun and ended as edits, without a look at the photos: which cells are pinned, and what
  time weighs
- time_marks: months and years along the edge of a timeline: which one begins at which column
- timeline: photos compared by look and date, the earliest pinned along the left side, the latest on the right
"""
