-- Whether a version was ever in force: draft or published.
ALTER TABLE form_versions ADD COLUMN state TEXT NOT NULL DEFAULT 'published';
-- `latest`: the highest number of a version; `draft`: that of the draft that the next one starts from.
ALTER TABLE forms ADD COLUMN latest INTEGER NOT NULL DEFAULT 1;
UPDATE forms SET latest = version;
ALTER TABLE forms ADD COLUMN draft INTEGER;
-- The version of its form that an agent stays with; absent where it follows the form.
ALTER TABLE agents ADD COLUMN form_version INTEGER;

-- How doubtful a value is: millionths by which its confidence falls short of 1.
ALTER TABLE reviews ADD COLUMN doubt BIGINT NOT NULL DEFAULT 1000000;
UPDATE reviews SET doubt = 1000000 - CAST(ROUND(1000000 * COALESCE(json_extract(subject, '$.evidence.confidence'), 0)) AS INTEGER);
CREATE INDEX reviews_by_doubt ON reviews (workspace, doubt, id);
CREATE INDEX reviews_by_state_and_doubt ON reviews (workspace, state, doubt, id);
