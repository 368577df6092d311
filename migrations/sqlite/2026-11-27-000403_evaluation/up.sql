-- Sets of groups of documents with true records. `weights`: JSON, by field; `groups`: their number.
CREATE TABLE evaluation_sets (
  workspace TEXT NOT NULL REFERENCES workspaces (id),
  id TEXT NOT NULL,
  author TEXT NOT NULL,
  name TEXT NOT NULL,
  form TEXT NOT NULL,
  weights TEXT NOT NULL,
  groups INTEGER NOT NULL,
  created BIGINT NOT NULL,
  PRIMARY KEY (workspace, id),
  FOREIGN KEY (workspace, author) REFERENCES users (workspace, id),
  FOREIGN KEY (workspace, form) REFERENCES forms (workspace, id)
);
CREATE INDEX evaluation_sets_by_age ON evaluation_sets (workspace, created, id);
CREATE INDEX evaluation_sets_by_form ON evaluation_sets (workspace, form);

-- Their groups. `content`: JSON, documents and record.
CREATE TABLE evaluation_groups (
  workspace TEXT NOT NULL,
  set_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (workspace, set_id, position),
  FOREIGN KEY (workspace, set_id) REFERENCES evaluation_sets (workspace, id) ON DELETE CASCADE
);

-- The set whose groups a run has; absent for other runs.
ALTER TABLE runs ADD COLUMN evaluation_set TEXT;
CREATE INDEX runs_by_evaluation_set ON runs (workspace, evaluation_set, sid) WHERE evaluation_set IS NOT NULL;
