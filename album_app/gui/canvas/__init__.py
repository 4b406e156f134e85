"""The sheet as one widget: what is painted, how it moves, and what a hand on it means.

- annotated_sheet: the sheet with what is told about its cells: a sentence, a card beside one, a map over all, a flash
- badges: what single tiles wear: a pin, the dot of a new photo, the count of a stack, the question mark of a missing
  file
- book_pages: the pages of a book in the window: what stands below each, which one is under a point, and one that is
  moved
- canvas: the canvas: the sheet under the user's hand, with pins, selection, maps and cards painted over it
- caption: what is told about a cell: the photo's name and date, whether it is there to be seen, whether it is pinned
- cards: cards that float over the sheet: alternatives, proposed pins, stacks
- cell_access: the cells of the sheet for screen readers: each an object with a name, a place, a state and actions of
  its own
- gestures: from events to states to intents to edits
- heatmap: numbers over the sheet: how sure each cell is, or where else a photo could go
- motion: tiles on their way: positions as (n, 2) arrays of (row, column), eased from where they are to where they
  belong
- overlays: what is painted over the tiles: pins, selection, focus, ghost and target of a drag, maps of numbers, cards
- painting: what the canvas paints over its tiles, in the order in which it lies there
- photo_walk: where arrows lead from a photo that is seen large: over the sheet, through its stack, or along the tray's
  list
- photo_zoom: how one photo is seen in a room of some size: fitted, larger up to several times 100 %, pushed about
- scene: what the canvas shows: tiles on their way, composed into one picture by copying pixels with numpy
- sheet_view: the sheet as one widget that paints: tiles glide to each new layout; zoom, pan and fit
- tiles: square pictures of one size, for canvas and tray
- viewport: where the sheet lies in the window: fit, zoom at a point, pan; in whole device pixels, so that tiles stay
  crisp
"""
