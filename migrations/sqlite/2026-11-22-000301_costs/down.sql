DROP TABLE usage_reservations;
ALTER TABLE session_turns DROP COLUMN usage;
ALTER TABLE runs DROP COLUMN cost;
