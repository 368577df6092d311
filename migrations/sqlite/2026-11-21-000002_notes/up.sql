-- So that notes can refer to a file together with its workspace.
CREATE UNIQUE INDEX files_by_workspace ON files (workspace, id);

-- A resource that has or had notes, with their number, which tells the length of a list without
-- counting. `owner` is what lasts: an agent's internal id, a file's id. One of the references is set;
-- through it the notes go with their resource.
CREATE TABLE noted_resources (
  workspace TEXT NOT NULL,
  resource TEXT NOT NULL,
  owner TEXT NOT NULL,
  agent TEXT,
  file BIGINT,
  notes BIGINT NOT NULL,
  PRIMARY KEY (workspace, resource, owner),
  FOREIGN KEY (workspace, agent) REFERENCES agents (workspace, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace, file) REFERENCES files (workspace, id) ON DELETE CASCADE
);
CREATE INDEX noted_resources_by_agent ON noted_resources (workspace, agent);
CREATE INDEX noted_resources_by_file ON noted_resources (workspace, file);

-- The sizes stand before content and meta, so that they can be read without them.
CREATE TABLE notes (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  workspace TEXT NOT NULL,
  resource TEXT NOT NULL,
  owner TEXT NOT NULL,
  author TEXT NOT NULL,
  role TEXT NOT NULL,
  content_bytes BIGINT NOT NULL,
  meta_bytes BIGINT NOT NULL,
  content TEXT NOT NULL,
  meta TEXT NOT NULL,
  created BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  FOREIGN KEY (workspace, resource, owner)
    REFERENCES noted_resources (workspace, resource, owner) ON DELETE CASCADE,
  FOREIGN KEY (workspace, author) REFERENCES users (workspace, id)
);
CREATE INDEX notes_by_age ON notes (workspace, resource, owner, created, id);
