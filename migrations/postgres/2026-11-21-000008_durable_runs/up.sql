-- Runs and groups say how they ended; open groups are jobs.
ALTER TABLE runs ADD COLUMN reasoning_tokens BIGINT NOT NULL DEFAULT 0;
-- Why the run was ended early; absent when it was not.
ALTER TABLE runs ADD COLUMN stop TEXT;
-- The number of its latest event: each group that gets its outcome is one.
ALTER TABLE runs ADD COLUMN sequence BIGINT NOT NULL DEFAULT 0;
UPDATE runs SET sequence = total;
UPDATE runs SET state = CASE WHEN failed = 0 THEN 'succeeded' WHEN successful = 0 THEN 'failed' ELSE 'partly_failed' END
WHERE state = 'finished';

ALTER TABLE run_groups ADD COLUMN state TEXT NOT NULL DEFAULT 'queued';
-- Why the group failed, or its last attempt.
ALTER TABLE run_groups ADD COLUMN error TEXT;
ALTER TABLE run_groups ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
-- The number of the event that told its outcome.
ALTER TABLE run_groups ADD COLUMN sequence BIGINT;
UPDATE run_groups SET state = 'failed', attempts = 1, sequence = position + 1 WHERE done;
UPDATE run_groups SET state = 'succeeded' WHERE state = 'failed' AND EXISTS (
  SELECT 1 FROM responses WHERE responses.workspace = run_groups.workspace AND responses.sid = run_groups.sid
    AND responses.position = run_groups.position
);
ALTER TABLE run_groups DROP COLUMN done;
CREATE INDEX run_groups_by_event ON run_groups (workspace, sid, sequence) WHERE sequence IS NOT NULL;
INSERT INTO jobs (queue, owner, position, workspace, ready, token, attempts, interrupted)
SELECT 'delta', CAST(sid AS TEXT), position, workspace, 0, 0, 0, 0 FROM run_groups WHERE state = 'queued';

-- What a response may be used for again: identical work.
ALTER TABLE responses ADD COLUMN fingerprint TEXT;
CREATE INDEX responses_by_fingerprint ON responses (workspace, fingerprint, created) WHERE fingerprint IS NOT NULL;

-- Answers of models to the calls of open groups, so that a call is not paid for twice.
CREATE TABLE kept_calls (
  workspace TEXT NOT NULL,
  sid BIGINT NOT NULL,
  position INTEGER NOT NULL,
  call TEXT NOT NULL,
  answer TEXT NOT NULL,
  PRIMARY KEY (workspace, sid, position, call),
  FOREIGN KEY (workspace, sid, position) REFERENCES run_groups (workspace, sid, position) ON DELETE CASCADE
);
