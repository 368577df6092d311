DROP INDEX jobs_by_turn;
ALTER TABLE jobs DROP COLUMN priority;
CREATE INDEX jobs_by_turn ON jobs (queue, workspace, owner, ready, position);
