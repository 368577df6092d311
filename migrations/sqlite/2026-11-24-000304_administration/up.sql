-- Roles of users, restricted keys, sign-ins by password, and the audit log. The first user of a workspace owns it; the
-- owners of the first workspace administer the server.
ALTER TABLE workspaces ADD COLUMN operator INTEGER NOT NULL DEFAULT 0;
UPDATE workspaces SET operator = 1 WHERE NOT EXISTS (
  SELECT 1 FROM workspaces AS earlier
  WHERE earlier.created < workspaces.created
    OR (earlier.created = workspaces.created AND earlier.id < workspaces.id)
);

ALTER TABLE users ADD COLUMN role TEXT NOT NULL DEFAULT 'member';
ALTER TABLE users ADD COLUMN removed BIGINT;
-- Argon2id, in PHC string format.
ALTER TABLE users ADD COLUMN password TEXT;
UPDATE users SET role = 'owner' WHERE NOT EXISTS (
  SELECT 1 FROM users AS earlier
  WHERE earlier.workspace = users.workspace
    AND (earlier.created < users.created OR (earlier.created = users.created AND earlier.id < users.id))
);
CREATE INDEX users_by_email ON users (lower(email));

ALTER TABLE api_keys ADD COLUMN kind TEXT NOT NULL DEFAULT 'issued';
-- A JSON array of ids of knowledge bases; null for a key without this restriction.
ALTER TABLE api_keys ADD COLUMN bases TEXT;
-- Id of the key that replaces it.
ALTER TABLE api_keys ADD COLUMN successor TEXT;
CREATE INDEX api_keys_by_user ON api_keys (workspace, user_id);

-- Ids are in the order of time, so the key is the only index that a change pays for.
CREATE TABLE audit_events (
  workspace TEXT NOT NULL REFERENCES workspaces (id),
  id TEXT NOT NULL,
  created BIGINT NOT NULL,
  -- Null for the command line.
  user_id TEXT,
  key_id TEXT,
  operation TEXT NOT NULL,
  target TEXT NOT NULL,
  -- Kind and ids of what was created, as JSON.
  effect TEXT,
  request TEXT NOT NULL,
  address TEXT NOT NULL,
  -- Status of a request that failed after it stored something.
  failure INTEGER,
  PRIMARY KEY (workspace, id)
) WITHOUT ROWID;
