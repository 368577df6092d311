ALTER TABLE form_versions DROP COLUMN examples;
ALTER TABLE forms DROP COLUMN examples;
