-- Sets of questions to knowledge bases. `questions`: JSON; `count`: their number.
CREATE TABLE question_sets (
  workspace TEXT NOT NULL REFERENCES workspaces (id),
  id TEXT NOT NULL,
  base BIGINT NOT NULL,
  author TEXT NOT NULL,
  name TEXT NOT NULL,
  count INTEGER NOT NULL,
  created BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  questions TEXT NOT NULL,
  PRIMARY KEY (workspace, id),
  FOREIGN KEY (workspace, author) REFERENCES users (workspace, id),
  FOREIGN KEY (workspace, base) REFERENCES kb_bases (workspace, number) ON DELETE CASCADE
);
CREATE INDEX question_sets_by_base ON question_sets (workspace, base, created, id);
