"""The desktop program; the only room that knows Qt. A folder imports only those listed above it.

- style: how the program looks and speaks
- state: what the window works on: the session, and the background work that keeps up with it
- controls: building blocks of panels, bars and dialogs
- canvas: the sheet as one widget: what is painted, how it moves, and what a hand on it means
- tray: the tray: the list of the album's photos next to the sheet
- dialogs: dialogs with a window of their own; the one for exports also prints
- commands: the table of actions, and what each does
- panel: the side panel, one file a section
- window: the window itself: put together in `app`, everything else handed what it needs
"""
