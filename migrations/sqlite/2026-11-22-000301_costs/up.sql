-- What runs and answers cost, in thousand-millionths of a US dollar; not known where it is absent.
ALTER TABLE runs ADD COLUMN cost BIGINT;

-- JSON: why an answer of the agent ends, and what it took.
ALTER TABLE session_turns ADD COLUMN usage TEXT;

-- Calls of models that are under way and may cost something. Each is taken away when what it used is booked; one that
-- is still here after `until` (microseconds since 1970-01-01), or when the only server starts, is of a server that died,
-- and is booked at its estimate. No references: what is spent is booked, whatever becomes of the key.
CREATE TABLE usage_reservations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace TEXT NOT NULL,
  day INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  tokens BIGINT NOT NULL,
  cost BIGINT,
  until BIGINT NOT NULL
);
CREATE INDEX usage_reservations_by_end ON usage_reservations (until);
