"""What the window works on: the session, and the background work that keeps up with it.

- advice: what the solver would advise about the open sheet, found out off the GUI thread; proposed pins wait for an
  answer
- autosave: work is written aside two seconds after it changed, and offered back if the program did not end well
- details: sharper pictures of the few photos that are in sight: from the cached thumbnail where it suffices, else the
  file
- folder_watch: the open folder lives: what appears, changes or vanishes in it is noticed, and taken over when the user
  says so
- jobs: background work and its kinds: a result comes out on the GUI thread; that of a job which was ended, as for an
  older version of the document, is dropped here
- load_steps: what the loading threads do: folders to documents, or to the sheet that was remembered; photos to
  thumbnails and features, many of them in a helper process
- loading: from dropped paths to a living sheet: scan, thumbnails and colours, features; back to the former look if they
  fail
- photo_store: what is known of the open album's photos: their pictures, their feature vectors (colours row by row while
  photos still arrive), and which of them take part
- photo_words: what the open album's photos show and carry: photos found by words, names for regions, facets to filter
  by
- pictures: the thumbnails of the open album in memory, as arrays for numpy and Qt, and the sheet drawn small from them
- preferences: what the program remembers between starts: a table of choices, and the window's own state
- recent: the albums opened lately, each with a small picture of its sheet
- session: the open document, its undo steps and the selection, and the only way to change them
- solving: from a changed document, or another shape, to layouts that glide in; each solve is for one version of the
  document
"""
