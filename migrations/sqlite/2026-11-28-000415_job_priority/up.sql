-- The priority of a job's owner: 0 high, 1 normal, 2 low. All jobs of an owner have the same.
ALTER TABLE jobs ADD COLUMN priority INTEGER NOT NULL DEFAULT 1;
-- Who waits, by priority, without passing over the jobs between; and an owner's jobs in the order of their times.
DROP INDEX jobs_by_turn;
CREATE INDEX jobs_by_turn ON jobs (queue, workspace, priority, owner, ready, position);
