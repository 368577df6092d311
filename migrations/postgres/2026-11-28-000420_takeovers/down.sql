DROP INDEX sessions_by_phase;
ALTER TABLE sessions DROP COLUMN taken_over;
ALTER TABLE sessions DROP COLUMN phase;
ALTER TABLE session_turns DROP COLUMN details;
