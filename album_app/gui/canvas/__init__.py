"""The sheet as one widget: what is painted, how it moves, and what a hand on it means.

From events to states to intents to edits: `canvas` receives the events, `gesture_states` says what they mean, `hand`
and `keys` do it. What a drop does is decided in `layout.editing.drops`.

- book_pages: the pages of a book in the window: their titles, which page is under a point, and a page that is moved
- canvas: the sheet under the user's hand: hand, keyboard and cards on a `sheet_view`, and what is painted over its
  tiles
- cards: cards that float over the sheet without hiding what they are about; Esc closes them: the question about
  proposed pins, and a line to write captions in
- cell_access: the cells of the sheet for screen readers: each an object with a name, a place, a state and actions of
  its own
- gesture_states: what a hand on the canvas means: pointer and key events in, the next state and one intent out
- hand: the hand on the canvas: decides while something hovers, applies that when it is let go
- keys: the keyboard on the canvas: a cell to act on, and everything the mouse can do
- maps: colours that stand for numbers or values, each with its legend: a map over the sheet, frames around photos
- motion: motion on the sheet: tiles glide, grow, shrink and shift their crops, marks fade; what stays is still
- overlays: what is painted over the tiles: selection, focus, ghost and target of a drag, marks of time, small cards
- photo_cards: cards that show photos: the photos of a stack, and those that would suit a cell next best
- scene: what the canvas shows: where the sheet lies in the window, and its tiles on their way, composed into one
  picture by copying pixels with numpy
- sheet_view: the widget: tiles glide to each new layout; zoom, pan and fit; the words about a cell: name, date, state,
  pin
- tiles: photos cropped and scaled to the size of their frames, for canvas and tray
"""
