"""What becomes of an album's folders while it is open, or since it was saved.

- folder_news: photos that appeared, changed, moved or vanished since the folders were looked at
- same_files: which files are photos that were lost, under another name or in another place: by size, and by time or
  content
"""
