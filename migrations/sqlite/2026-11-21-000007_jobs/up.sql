-- The durable queue. `ready` is from when a job can be claimed: its time, or the end of its lease; it is
-- held while it has a worker and `ready` is to come. What a job is about is told by its owner's tables; no
-- references, since a queue may belong to any of them.
CREATE TABLE jobs (
  queue TEXT NOT NULL,
  owner TEXT NOT NULL,
  position INTEGER NOT NULL,
  workspace TEXT NOT NULL,
  ready BIGINT NOT NULL,
  token BIGINT NOT NULL,
  attempts INTEGER NOT NULL,
  interrupted INTEGER NOT NULL,
  worker TEXT,
  PRIMARY KEY (queue, owner, position)
);
-- Who waits, without passing over the jobs between; and an owner's jobs in the order of their times.
CREATE INDEX jobs_by_turn ON jobs (queue, workspace, owner, ready, position);
-- What is held, told by the index alone.
CREATE INDEX jobs_by_worker ON jobs (queue, worker, ready, workspace, owner) WHERE worker IS NOT NULL;
