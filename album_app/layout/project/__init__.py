"""A sheet as a document, and its file.

- document: a document: everything about one sheet, as one immutable value, its file, the project, and its missing
  photos found again
- json_io: reading JSON from unknown sources with checks, and writing large JSON in small pieces
- photo_paths: where the photos of a project are: folders relative to the project file first, then where they were
  when saved
- document_json: the parts of a project file other than its photos, to and from plain JSON; files of 0.1 and 0.2 get
  defaults for what they lack
"""
