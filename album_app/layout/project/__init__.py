"""A sheet as a document, and its file.

- document: a document: everything about one sheet, as one immutable value; which of its photos take part in the sheet,
  where they are, and their counts
- json_io: reading JSON from unknown sources with checks, and writing large JSON in small pieces
- photo_paths: where the photos of a project are: folders relative to the project file first, then where they were
  when saved; missing photos found again
- project_file: a project file: a document written as JSON and read back; files of 0.1 and 0.2 get defaults for what
  they lack
"""
