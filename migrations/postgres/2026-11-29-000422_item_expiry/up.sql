-- From when on nothing finds an item, in microseconds since 1970.
ALTER TABLE kb_items ADD COLUMN expires BIGINT;
CREATE INDEX kb_items_by_expiry ON kb_items (expires, number) WHERE expires IS NOT NULL;
