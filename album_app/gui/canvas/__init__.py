"""The sheet as one widget: what is painted, how it moves, and what a hand on it means.

From events to states to intents to edits: `canvas` receives the events, `gesture_states` says what they mean, `hand`
and `keys` do it. What a drop does is decided in `layout.editing.drops`.

- book_pages: the pages of a book in the window: their titles, which page is under a point, and a page that is moved
- canvas: the sheet under the user's hand: hand, keyboard and cards on a `sheet_view`, and what is painted over its
  tiles
- caption_card: writing captions: a line for the text of one photo after the other
- cell_access: the cells of the sheet for screen readers: each an object with a name, a place, a state and actions of
  its own
- gesture_states: what a hand on the canvas means: pointer and key events in, the next state and one intent out
- hand: the hand on the canvas: decides while something hovers, applies that when it is let go
- keys: the keyboard on the canvas: a cell to act on, and everything the mouse can do
- motion: motion on the sheet: tiles glide, grow, shrink and shift their crops, marks fade; what stays is still
- overlays: what is painted over the tiles: pins, selection, focus, ghost and target of a drag, cards, maps of numbers
- proposed_pins: pins that are proposed: ghosts in their cells, and the bar that asks about them
- scene: what the canvas shows: tiles on their way, composed into one picture by copying pixels with numpy
- sheet_view: the widget: tiles glide to each new layout; zoom, pan and fit; the caption of a cell: name, date, state,
  pin
- tiles: photos cropped and scaled to the size of their frames, for canvas and tray
- viewport: where the sheet lies in the window: fit, zoom at a point, pan; in whole device pixels, so that tiles stay
  crisp
- cards: cards that float over the sheet without hiding what they are about; Esc closes them: the photos that would suit
  a cell next best, and those of a stack
"""
