"""The window itself: put together in `app`, everything else handed what it needs.

- album_messages: what the quiet bar says of the open album: photos that are missing, features that could not be had
- app: starting the desktop program
- folder_offer: offers what has become of the open folder, in the quiet bar; nothing moves before the answer
- gui_thread_gc: garbage collection on the GUI thread alone: elsewhere it could destroy a widget in the wrong thread
- lightbox: one photo over the whole window, on dark ground: zoom to 100 %, push it about, go on to its neighbours
- main_window: the main window: builds the parts and connects them; it decides nothing
- parts: what works behind the window, put together: each part is handed only those that it uses
- recent_menu: the menu of recent albums: a click opens one, the right button or the menu key asks what else to do with
  it
- recents_keeper: keeps the list of recent albums up to date, with a picture of each sheet
- recovery: offers work that a crash left behind, one album after the other, until each is recovered or discarded
- stack_offer: offers to stack near-duplicates, in the quiet bar; nothing moves before the answer, which is remembered
- start_page: the first thing seen: a place to drop photos, ways to open some, and the albums of last time
- state_messages: what the quiet bar says where nothing can be remembered: once, whoever notices it first
- tool_bar: the tools above the sheet: a few actions of the table as buttons, the export last and largest
- window_commands: what the actions of the window run, by the names of the table of actions
- workspace: the middle of the window while an album is open: tray, canvas, side panel
"""
