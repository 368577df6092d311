ALTER TABLE kb_items DROP COLUMN position;
