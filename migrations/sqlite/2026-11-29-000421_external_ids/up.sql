-- The user's own identifier of an item, unique in its base. The workspace comes first for lists of all bases.
ALTER TABLE kb_items ADD COLUMN external_id TEXT;
CREATE UNIQUE INDEX kb_items_by_external_id ON kb_items (workspace, external_id, base) WHERE external_id IS NOT NULL;
