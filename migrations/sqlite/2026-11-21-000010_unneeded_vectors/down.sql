DROP INDEX kb_vectors_unneeded;
ALTER TABLE kb_vectors DROP COLUMN unneeded;
