DROP TABLE usage_windows;
DROP TABLE usage_days;
ALTER TABLE api_keys DROP COLUMN cost_per_day;
ALTER TABLE api_keys DROP COLUMN cost_per_minute;
ALTER TABLE api_keys DROP COLUMN tokens_per_day;
ALTER TABLE api_keys DROP COLUMN tokens_per_minute;
ALTER TABLE api_keys DROP COLUMN requests_per_day;
