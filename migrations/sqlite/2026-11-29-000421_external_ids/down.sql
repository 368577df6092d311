DROP INDEX kb_items_by_external_id;
ALTER TABLE kb_items DROP COLUMN external_id;
