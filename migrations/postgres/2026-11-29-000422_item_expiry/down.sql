DROP INDEX kb_items_by_expiry;
ALTER TABLE kb_items DROP COLUMN expires;
