-- Knowledge bases. `number` is the short name that indexes know a base or an item by; it is never given twice.

-- The counts are those of the items, kept by whoever changes one while holding the base's row. `lacking`:
-- items that keep `serving` from following `embedding`.
CREATE TABLE kb_bases (
  number INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  workspace TEXT NOT NULL,
  id TEXT NOT NULL,
  author TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  chunking TEXT NOT NULL,
  embedding TEXT,
  serving TEXT,
  languages TEXT NOT NULL,
  queued BIGINT NOT NULL,
  processing BIGINT NOT NULL,
  ready BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  chunks BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  lacking BIGINT NOT NULL,
  next_place BIGINT NOT NULL,
  written BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  created BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  UNIQUE (workspace, id),
  UNIQUE (workspace, number),
  FOREIGN KEY (workspace, author) REFERENCES users (workspace, id)
);
CREATE INDEX kb_bases_by_age ON kb_bases (workspace, created, id);

-- `fingerprint`: the first 16 bytes of the SHA-256 of what names the content.
-- `stored`: chunks in kb_chunks; they can be found once there is a sequence. `fence`: the last token of a job
-- that ended, so that the next one begins above it.
CREATE TABLE kb_items (
  number INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  workspace TEXT NOT NULL,
  id TEXT NOT NULL,
  base BIGINT NOT NULL,
  place INTEGER NOT NULL,
  author TEXT NOT NULL,
  api_key TEXT,
  source TEXT NOT NULL,
  name TEXT NOT NULL,
  meta TEXT NOT NULL,
  status TEXT NOT NULL,
  error TEXT,
  bytes BIGINT NOT NULL,
  fingerprint BLOB NOT NULL,
  blob TEXT REFERENCES blobs (key),
  stored BIGINT NOT NULL,
  done BIGINT NOT NULL,
  total BIGINT NOT NULL,
  language TEXT,
  embedded TEXT,
  sequence BIGINT NOT NULL,
  fence BIGINT NOT NULL,
  created BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  UNIQUE (workspace, id),
  UNIQUE (base, fingerprint),
  UNIQUE (base, place),
  FOREIGN KEY (workspace, base) REFERENCES kb_bases (workspace, number),
  FOREIGN KEY (workspace, author) REFERENCES users (workspace, id)
);
-- The lists, and the items of a base in the order of their numbers.
CREATE INDEX kb_items_by_age ON kb_items (workspace, created, number);
CREATE INDEX kb_items_by_status ON kb_items (workspace, status, created, number);
CREATE INDEX kb_items_of_base_by_age ON kb_items (base, created, number);
CREATE INDEX kb_items_of_base_by_status ON kb_items (base, status, created, number);
CREATE INDEX kb_items_of_base ON kb_items (base, number);
CREATE INDEX kb_items_by_blob ON kb_items (blob) WHERE blob IS NOT NULL;

-- The chunks of an item are those with `id >> 20` = its number; the rest is the position. They have no other
-- index and no reference, so that a million of them costs little more than their text; whoever deletes an
-- item deletes the stretch of its chunks.
CREATE TABLE kb_chunks (
  id INTEGER NOT NULL PRIMARY KEY,
  workspace TEXT NOT NULL,
  page INTEGER,
  begins BIGINT NOT NULL,
  ends BIGINT NOT NULL,
  heading TEXT NOT NULL,
  text TEXT NOT NULL,
  hash BLOB NOT NULL
);

-- Vectors of texts, by the first 16 bytes of their SHA-256: numbers of four bytes (IEEE 754), the lowest byte
-- first.
CREATE TABLE kb_vectors (
  workspace TEXT NOT NULL REFERENCES workspaces (id),
  model TEXT NOT NULL,
  hash BLOB NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (workspace, model, hash)
);

-- What indexes are told.
CREATE TABLE kb_changes (
  sequence INTEGER NOT NULL PRIMARY KEY,
  what TEXT NOT NULL,
  number BIGINT NOT NULL,
  time BIGINT NOT NULL
);

-- One row: the number of the last change, up to where changes are forgotten, and the generation of the indexes.
-- Whoever writes a change takes the row first, so that the numbers are in the order of the commits.
CREATE TABLE kb_feed (
  id INTEGER NOT NULL PRIMARY KEY,
  latest BIGINT NOT NULL,
  forgotten BIGINT NOT NULL,
  generation BIGINT NOT NULL
);
INSERT INTO kb_feed (id, latest, forgotten, generation) VALUES (1, 0, 0, 0);

-- Contents that nobody refers to any more, for the moment between the two steps of a deletion.
CREATE INDEX blobs_orphaned ON blobs (workspace) WHERE refs <= 0;

-- Notes of a base go with it.
ALTER TABLE noted_resources ADD COLUMN base BIGINT REFERENCES kb_bases (number) ON DELETE CASCADE;
CREATE INDEX noted_resources_by_base ON noted_resources (base);
