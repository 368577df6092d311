-- What a key may use in a minute and in a day; no limit when absent. Money is in thousand-millionths of
-- a US dollar.
ALTER TABLE api_keys ADD COLUMN requests_per_day BIGINT;
ALTER TABLE api_keys ADD COLUMN tokens_per_minute BIGINT;
ALTER TABLE api_keys ADD COLUMN tokens_per_day BIGINT;
ALTER TABLE api_keys ADD COLUMN cost_per_minute BIGINT;
ALTER TABLE api_keys ADD COLUMN cost_per_day BIGINT;

-- What calls of models used, by day (since 1970-01-01, UTC), key (empty: the service itself) and model. No
-- references: what was spent is kept, whatever becomes of the key.
CREATE TABLE usage_days (
  workspace TEXT NOT NULL,
  day INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  requests BIGINT NOT NULL,
  input_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  cached_tokens BIGINT NOT NULL,
  reasoning_tokens BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  unpriced BIGINT NOT NULL,
  PRIMARY KEY (workspace, day, key_id, model)
);

-- What keys with limits have used and reserved in their present minute and day, which are numbered from
-- 1970-01-01.
CREATE TABLE usage_windows (
  workspace TEXT NOT NULL,
  key_id TEXT NOT NULL REFERENCES api_keys (id),
  minute BIGINT NOT NULL,
  minute_requests BIGINT NOT NULL,
  minute_tokens BIGINT NOT NULL,
  minute_cost BIGINT NOT NULL,
  day BIGINT NOT NULL,
  day_requests BIGINT NOT NULL,
  day_tokens BIGINT NOT NULL,
  day_cost BIGINT NOT NULL,
  PRIMARY KEY (workspace, key_id)
);
