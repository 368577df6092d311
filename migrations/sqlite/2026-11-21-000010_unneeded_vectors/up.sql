-- Since when it is known that no chunk needs the vector; it goes some time later.
ALTER TABLE kb_vectors ADD COLUMN unneeded BIGINT;
CREATE INDEX kb_vectors_unneeded ON kb_vectors (workspace, model, hash) WHERE unneeded IS NOT NULL;
