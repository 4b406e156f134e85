"""The window itself: put together in `app`, everything else handed what it needs.

- album_messages: what the quiet bar says of the open album: photos that are missing, features that could not be had
- app: starting the desktop program
- gui_thread_gc: garbage collection on the GUI thread alone: elsewhere it could destroy a widget in the wrong thread
- main_window: the main window: builds the parts and connects them; it decides nothing
- recents_keeper: keeps the list of recent albums up to date, with a picture of each sheet
- recovery: offers work that a crash left behind, one album after the other, until each is recovered or discarded
- start_page: the first thing seen: a place to drop photos, ways to open some, and the albums of last time
- workspace: the middle of the window while an album is open: tray, canvas, side panel
"""
