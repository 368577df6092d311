ALTER TABLE api_keys DROP COLUMN last_used;
ALTER TABLE api_keys DROP COLUMN requests_per_minute;
