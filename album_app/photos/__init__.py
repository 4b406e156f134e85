"""Files to arrays: any folder of photos becomes an album, thumbnails and feature vectors."""
