"""The sheet as one widget: what is painted, how it moves, and what a hand on it means.

- alternatives: the strip of alternatives: the photos that would suit a cell next best, in words and with a bar; a click
  pins one
- annotated_sheet: the sheet with what is told about its cells: a sentence, a card beside one, a map over all, a flash
- badges: what single tiles wear: the pin of a pinned photo, the question mark of one whose file is missing
- canvas: the canvas: the sheet under the user's hand, with pins, selection, maps and cards painted over it
- caption: what is told about a cell: the photo's name and date, whether it is there to be seen, whether it is pinned
- cell_access: the cells of the sheet for screen readers: each an object with a name, a place, a state and actions of
  its own
- floating_card: a card that floats over the sheet without hiding what it is about; Esc closes it
- gestures: from events to states to intents to edits
- heatmap: numbers over the sheet: how sure each cell is, or where else a photo could go
- motion: tiles on their way: positions as (n, 2) arrays of (row, column), eased from where they are to where they
  belong
- overlays: what is painted over the tiles: pins, selection, focus, ghost and target of a drag, maps of numbers, cards
- painting: what the canvas paints over its tiles, in the order in which it lies there
- photo_zoom: how one photo is seen in a room of some size: fitted, larger up to several times 100 %, pushed about
- proposed_pins: pins that are proposed: ghosts in their cells, and the bar that asks about them
- scene: what the canvas shows: tiles on their way, composed into one picture by copying pixels with numpy
- sheet_view: the sheet as one widget that paints: tiles glide to each new layout; zoom, pan and fit
- tiles: square pictures of one size, for canvas and tray
- viewport: where the sheet lies in the window: fit, zoom at a point, pan; in whole device pixels, so that tiles stay
  crisp
"""
