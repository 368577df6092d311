-- Pictures of documents, one for each content, page, width and format. `source`: SHA-256 of the document; `sha256` and
-- `bytes` are of the picture, which `blob` names.
CREATE TABLE thumbnails (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  workspace TEXT NOT NULL REFERENCES workspaces (id),
  source TEXT NOT NULL,
  page INTEGER NOT NULL,
  width INTEGER NOT NULL,
  format TEXT NOT NULL,
  renderer INTEGER NOT NULL,
  blob TEXT NOT NULL REFERENCES blobs (key),
  sha256 TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  UNIQUE (workspace, id),
  UNIQUE (workspace, source, page, width, format, renderer)
);
CREATE INDEX thumbnails_by_blob ON thumbnails (blob);

-- What a picture is shown under: until its file is deleted, or, for documents that are no files, until a time.
CREATE TABLE thumbnail_links (
  token TEXT NOT NULL PRIMARY KEY,
  workspace TEXT NOT NULL,
  thumbnail BIGINT NOT NULL,
  file BIGINT,
  until BIGINT,
  FOREIGN KEY (workspace, thumbnail) REFERENCES thumbnails (workspace, id),
  FOREIGN KEY (workspace, file) REFERENCES files (workspace, id) ON DELETE CASCADE
);
CREATE INDEX thumbnail_links_of_thumbnail ON thumbnail_links (workspace, thumbnail);
CREATE UNIQUE INDEX thumbnail_links_of_file ON thumbnail_links (workspace, file, thumbnail) WHERE file IS NOT NULL;
CREATE UNIQUE INDEX thumbnail_links_of_no_file ON thumbnail_links (workspace, thumbnail) WHERE file IS NULL;
CREATE INDEX thumbnail_links_by_end ON thumbnail_links (until) WHERE until IS NOT NULL;
