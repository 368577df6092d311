-- Documents with their right records, by which a form teaches: a JSON list of texts and records.
ALTER TABLE forms ADD COLUMN examples TEXT NOT NULL DEFAULT '[]';
ALTER TABLE form_versions ADD COLUMN examples TEXT NOT NULL DEFAULT '[]';
