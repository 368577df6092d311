DROP INDEX reviews_by_state_and_doubt;
DROP INDEX reviews_by_doubt;
ALTER TABLE reviews DROP COLUMN doubt;
ALTER TABLE agents DROP COLUMN form_version;
-- The version in force has the highest number again.
INSERT INTO form_versions (workspace, form, version, title, definition, created, examples)
  SELECT workspace, id, latest + 1, title, definition, updated, examples FROM forms WHERE version < latest;
UPDATE forms SET version = latest + 1 WHERE version < latest;
ALTER TABLE forms DROP COLUMN draft;
ALTER TABLE forms DROP COLUMN latest;
ALTER TABLE form_versions DROP COLUMN state;
