-- Which values of an agent's responses are queued for review: JSON; absent for none.
ALTER TABLE agents ADD COLUMN review TEXT;

-- Values of responses that people review. `path`: of the value in the record, empty for a group that failed; `field`:
-- the path without the indexes of lists. `reasons`: names between commas. `subject`: what was extracted; `decided`: the
-- value, its errors and the history, absent until a first change. Both are JSON.
CREATE TABLE reviews (
  workspace TEXT NOT NULL,
  id TEXT NOT NULL,
  agent TEXT NOT NULL,
  sid BIGINT NOT NULL,
  position INTEGER NOT NULL,
  path TEXT NOT NULL,
  field TEXT NOT NULL,
  reasons TEXT NOT NULL,
  state TEXT NOT NULL,
  assignee TEXT,
  subject TEXT NOT NULL,
  decided TEXT,
  revision BIGINT NOT NULL,
  created BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  PRIMARY KEY (workspace, id),
  UNIQUE (workspace, sid, position, path),
  FOREIGN KEY (workspace, sid, position) REFERENCES run_groups (workspace, sid, position) ON DELETE CASCADE
);
CREATE INDEX reviews_by_age ON reviews (workspace, created, id);
CREATE INDEX reviews_by_state ON reviews (workspace, state, created, id);
CREATE INDEX reviews_by_agent ON reviews (workspace, agent, state, created, id);
