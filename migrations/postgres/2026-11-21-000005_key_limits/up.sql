-- What a key may do in a minute (no limit when absent), and when it was last used, to the minute.
ALTER TABLE api_keys ADD COLUMN requests_per_minute INTEGER;
ALTER TABLE api_keys ADD COLUMN last_used BIGINT;
