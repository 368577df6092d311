-- The number of the last change of an item, also of one that left `sequence` as it was. 0 stands for `sequence`.
ALTER TABLE kb_items ADD COLUMN position BIGINT NOT NULL DEFAULT 0;
