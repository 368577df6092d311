ALTER TABLE kb_bases DROP COLUMN rerank;
