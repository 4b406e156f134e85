"""From events to states to intents to edits; what a drop does is decided in `layout.drops`.

- gesture_states: what a hand on the canvas means: pointer and key events in, the next state and one intent out;
  nothing is changed
- keys: the keyboard on the canvas: a cell to act on, and everything the mouse can do
- perform_intents: what follows from what the hand did: selection, pins and drags, through the session
- pointer: the hand on the canvas: Qt's events go through `gesture_states`, and its intents are performed
"""
