-- A public key would become a secret one that everybody knows.
UPDATE api_keys SET revoked = created WHERE publication IS NOT NULL AND revoked IS NULL;
DROP INDEX api_keys_by_page;
ALTER TABLE api_keys DROP COLUMN page;
ALTER TABLE api_keys DROP COLUMN publication;
