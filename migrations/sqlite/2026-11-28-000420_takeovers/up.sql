-- What a turn changed, and the person who wrote it: JSON.
ALTER TABLE session_turns ADD COLUMN details TEXT;
-- The phase of its form, by which sessions are listed.
ALTER TABLE sessions ADD COLUMN phase TEXT;
UPDATE sessions SET phase = json_extract(form, '$.phase');
-- The person who answers in place of the agent: JSON; absent while the agent answers.
ALTER TABLE sessions ADD COLUMN taken_over TEXT;
CREATE INDEX sessions_by_phase ON sessions (workspace, agent, phase, created, id);
