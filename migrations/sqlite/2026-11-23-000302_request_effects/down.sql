DELETE FROM kept_answers WHERE effect IS NOT NULL AND status IS NULL;
ALTER TABLE kept_answers DROP COLUMN effect;
