"""What the window works on: the session, and the background work that keeps up with it.

- advice: what the solver advises about the open sheet, found in the background; pins that are proposed until the user
  accepts or dismisses them
- autosave: a copy of unsaved work is written soon after each change, and offered for recovery after a crash
- details: sharper pictures of the few photos in sight, from the cached thumbnail where it is large enough,
  else the file
- folder_watch: photos that appear, change or vanish in the folders of the open album are noticed, and followed if the
  user agrees
- jobs: background work and its kinds: results are delivered on the GUI thread; an ended job, such as one for an older
  version of the document, delivers nothing
- load_steps: what the loading threads do: folders to documents, or to the sheet that was remembered; photos to
  thumbnails and features, many of them in a helper process
- loading: opens albums: scans paths, reads thumbnails and colours, computes features; returns to the former look if
  they fail
- photo_store: what is known of the photos of the open album: thumbnails, feature vectors, foci, and which take part
- photo_words: words about the photos: photos that show what a word names, names of regions, columns to filter by
- pictures: the thumbnails of the open album in memory, as arrays for numpy and Qt, and the sheet drawn small from them
- preferences: what the program remembers between starts: the choices of the user, and the state of the window
- recent: the albums that were opened recently, each with a small picture of its sheet
- session: the open document, its undo steps and the selection, which only the session changes; requests of the user
  that are made again after an edit
- solving: makes shapes, solves and scores the document in the background, each for one version of it
"""
