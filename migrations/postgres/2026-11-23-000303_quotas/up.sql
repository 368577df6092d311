-- How much a workspace may store. Without a row there is no limit.
CREATE TABLE workspace_quotas (
  workspace TEXT NOT NULL REFERENCES workspaces (id),
  kind TEXT NOT NULL,
  amount BIGINT NOT NULL,
  PRIMARY KEY (workspace, kind)
);
