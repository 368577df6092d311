-- Addresses that are told what happened. `events`: JSON, names of kinds. `last_number`: of its newest delivery;
-- `pending`: deliveries that wait.
CREATE TABLE webhooks (
  id TEXT NOT NULL PRIMARY KEY,
  workspace TEXT NOT NULL REFERENCES workspaces (id),
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  description TEXT NOT NULL,
  secret TEXT NOT NULL,
  disabled TEXT,
  last_number INTEGER NOT NULL,
  pending INTEGER NOT NULL,
  created BIGINT NOT NULL,
  UNIQUE (workspace, id)
);
CREATE INDEX webhooks_by_age ON webhooks (workspace, created, id);

-- What is sent to them. A delivery that has not ended has a job. `fence`: the token that its last job ended with.
CREATE TABLE webhook_deliveries (
  workspace TEXT NOT NULL,
  webhook TEXT NOT NULL,
  number INTEGER NOT NULL,
  event TEXT NOT NULL,
  payload TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  status INTEGER,
  error TEXT,
  fence BIGINT NOT NULL,
  created BIGINT NOT NULL,
  ended BIGINT,
  PRIMARY KEY (webhook, number),
  FOREIGN KEY (workspace, webhook) REFERENCES webhooks (workspace, id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (workspace, webhook, created, number);
-- Those that can go.
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (webhook, number) WHERE ended IS NOT NULL;
