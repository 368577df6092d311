-- Conversations with agents. `form`: JSON, how far the agent's form is. Sizes stand before what they are sizes of, so
-- that they can be read without it.
CREATE TABLE sessions (
  workspace TEXT NOT NULL,
  id TEXT NOT NULL,
  agent TEXT NOT NULL,
  author TEXT NOT NULL,
  title TEXT NOT NULL,
  language TEXT NOT NULL,
  turns INTEGER NOT NULL,
  revision BIGINT NOT NULL,
  created BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  form_bytes BIGINT NOT NULL,
  form TEXT,
  PRIMARY KEY (workspace, id),
  FOREIGN KEY (workspace, agent) REFERENCES agents (workspace, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace, author) REFERENCES users (workspace, id)
);
CREATE INDEX sessions_by_age ON sessions (workspace, agent, created, id);

CREATE TABLE session_turns (
  workspace TEXT NOT NULL,
  session TEXT NOT NULL,
  number INTEGER NOT NULL,
  speaker TEXT NOT NULL,
  created BIGINT NOT NULL,
  content_bytes BIGINT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (workspace, session, number),
  FOREIGN KEY (workspace, session) REFERENCES sessions (workspace, id) ON DELETE CASCADE
);

-- Forms that were filled and confirmed. They outlast their session, which is no reference for that reason.
CREATE TABLE submissions (
  workspace TEXT NOT NULL,
  id TEXT NOT NULL,
  agent TEXT NOT NULL,
  author TEXT NOT NULL,
  session TEXT NOT NULL,
  form TEXT NOT NULL,
  created BIGINT NOT NULL,
  record_bytes BIGINT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (workspace, id),
  FOREIGN KEY (workspace, agent) REFERENCES agents (workspace, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace, author) REFERENCES users (workspace, id)
);
CREATE INDEX submissions_by_age ON submissions (workspace, agent, created, id);
