-- Every row carries its workspace, and every key begins with it, so that no reference can cross
-- workspaces. Times are microseconds since 1970 (UTC); JSON is text.

CREATE TABLE workspaces (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  created BIGINT NOT NULL
);

CREATE TABLE users (
  workspace TEXT NOT NULL REFERENCES workspaces (id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  created BIGINT NOT NULL,
  PRIMARY KEY (workspace, id),
  UNIQUE (workspace, email)
);

CREATE TABLE api_keys (
  id TEXT NOT NULL PRIMARY KEY,
  workspace TEXT NOT NULL,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  prefix TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL,
  scope TEXT NOT NULL,
  created BIGINT NOT NULL,
  expires BIGINT,
  revoked BIGINT,
  FOREIGN KEY (workspace, user_id) REFERENCES users (workspace, id)
);
CREATE INDEX api_keys_by_workspace ON api_keys (workspace, created);

CREATE TABLE forms (
  workspace TEXT NOT NULL,
  id TEXT NOT NULL,
  author TEXT NOT NULL,
  title TEXT NOT NULL,
  title_folded TEXT NOT NULL,
  definition TEXT NOT NULL,
  version INTEGER NOT NULL,
  revision BIGINT NOT NULL,
  created BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  PRIMARY KEY (workspace, id),
  FOREIGN KEY (workspace, author) REFERENCES users (workspace, id)
);
CREATE INDEX forms_by_age ON forms (workspace, created, id);

CREATE TABLE form_versions (
  workspace TEXT NOT NULL,
  form TEXT NOT NULL,
  version INTEGER NOT NULL,
  title TEXT NOT NULL,
  definition TEXT NOT NULL,
  created BIGINT NOT NULL,
  PRIMARY KEY (workspace, form, version),
  FOREIGN KEY (workspace, form) REFERENCES forms (workspace, id) ON DELETE CASCADE
);

-- Bytes in the blob store, shared by the files of equal content in a workspace.
CREATE TABLE blobs (
  key TEXT NOT NULL PRIMARY KEY,
  workspace TEXT NOT NULL REFERENCES workspaces (id),
  sha256 TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  refs BIGINT NOT NULL,
  UNIQUE (workspace, sha256, bytes)
);

CREATE TABLE files (
  id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  workspace TEXT NOT NULL,
  author TEXT NOT NULL,
  name TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  content_type TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  token TEXT NOT NULL UNIQUE,
  blob TEXT NOT NULL REFERENCES blobs (key),
  created BIGINT NOT NULL,
  FOREIGN KEY (workspace, author) REFERENCES users (workspace, id)
);
CREATE INDEX files_by_age ON files (workspace, created, id);
CREATE INDEX files_by_blob ON files (blob);

CREATE TABLE agents (
  workspace TEXT NOT NULL,
  id TEXT NOT NULL,
  author TEXT NOT NULL,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  instructions TEXT NOT NULL,
  model_id TEXT,
  form TEXT,
  knowledge TEXT NOT NULL,
  revision BIGINT NOT NULL,
  created BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  PRIMARY KEY (workspace, id),
  UNIQUE (workspace, namespace),
  FOREIGN KEY (workspace, author) REFERENCES users (workspace, id),
  FOREIGN KEY (workspace, form) REFERENCES forms (workspace, id)
);
CREATE INDEX agents_by_age ON agents (workspace, created, id);
CREATE INDEX agents_by_form ON agents (workspace, form);

CREATE TABLE runs (
  sid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  workspace TEXT NOT NULL,
  agent TEXT NOT NULL,
  author TEXT NOT NULL,
  plan TEXT NOT NULL,
  state TEXT NOT NULL,
  total INTEGER NOT NULL,
  successful INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  input_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  cached_tokens BIGINT NOT NULL,
  created BIGINT NOT NULL,
  finished BIGINT,
  UNIQUE (workspace, sid),
  FOREIGN KEY (workspace, agent) REFERENCES agents (workspace, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace, author) REFERENCES users (workspace, id)
);
CREATE INDEX runs_by_agent ON runs (workspace, agent, sid);
CREATE INDEX runs_by_state ON runs (state, sid);

CREATE TABLE run_groups (
  workspace TEXT NOT NULL,
  sid BIGINT NOT NULL,
  position INTEGER NOT NULL,
  documents TEXT NOT NULL,
  done BOOLEAN NOT NULL,
  failures TEXT NOT NULL,
  token_usage TEXT NOT NULL,
  PRIMARY KEY (workspace, sid, position),
  FOREIGN KEY (workspace, sid) REFERENCES runs (workspace, sid) ON DELETE CASCADE
);

CREATE TABLE responses (
  workspace TEXT NOT NULL,
  agent TEXT NOT NULL,
  sid BIGINT NOT NULL,
  position INTEGER NOT NULL,
  gid TEXT NOT NULL,
  content TEXT NOT NULL,
  created BIGINT NOT NULL,
  PRIMARY KEY (workspace, agent, sid, position),
  FOREIGN KEY (workspace, sid, position) REFERENCES run_groups (workspace, sid, position) ON DELETE CASCADE
);
CREATE UNIQUE INDEX responses_by_group ON responses (workspace, sid, position);

CREATE TABLE parsed_documents (
  workspace TEXT NOT NULL REFERENCES workspaces (id),
  sha256 TEXT NOT NULL,
  parser_version INTEGER NOT NULL,
  document TEXT NOT NULL,
  PRIMARY KEY (workspace, sha256, parser_version)
);
