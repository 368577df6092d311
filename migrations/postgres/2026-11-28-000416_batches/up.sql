-- Batches of a run at its model's provider whose results are not stored yet. No references: a batch outlives its run
-- until the provider has cancelled it.
CREATE TABLE batches (
  workspace TEXT NOT NULL,
  sid BIGINT NOT NULL,
  number INTEGER NOT NULL,
  reference TEXT NOT NULL,
  model TEXT NOT NULL,
  requests INTEGER NOT NULL,
  step TEXT NOT NULL,
  vendor_id TEXT,
  created BIGINT NOT NULL,
  changed BIGINT NOT NULL,
  PRIMARY KEY (workspace, sid, number)
);
-- Calls of open groups that wait for a batch, or that one has answered. `number` is that of the batch, `line` the place in
-- it; `cost` an estimate.
CREATE TABLE batch_calls (
  workspace TEXT NOT NULL,
  sid BIGINT NOT NULL,
  position INTEGER NOT NULL,
  call TEXT NOT NULL,
  number INTEGER,
  line INTEGER,
  body TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  created BIGINT NOT NULL,
  state TEXT NOT NULL,
  answer TEXT,
  PRIMARY KEY (workspace, sid, position, call)
);
CREATE INDEX batch_calls_by_batch ON batch_calls (workspace, sid, number, line);
