"""The window itself: put together in `app`, everything else handed what it needs.

- app: starts the program with a window: the application, its style, Qt's own texts in the language that `language`
  chose, and the garbage collector
- large_view: photos seen large over the whole window, and what can be done with them there
- main_window: the main window: menus, tool bar, start page and workspace, and what happens on closing
- parts: what works behind the window, put together: the session with all that follows it, and the commands
- messages: what the window says and offers by itself: about the album, changed folders, stacks, and unsaved work
  found
- start_page: the page that is seen first: a place to drop photos, ways to open some, and recent albums; their list in
  the menu, and what keeps both up to date
- workspace: the middle of the window while an album is open: tray, canvas, side panel
"""
