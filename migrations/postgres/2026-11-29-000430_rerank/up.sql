-- Reranking of searches as JSON: `model` and `depth`, each with a default.
ALTER TABLE kb_bases ADD COLUMN rerank TEXT NOT NULL DEFAULT '{}';
