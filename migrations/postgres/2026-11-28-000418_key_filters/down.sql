-- Without its filter a key would find more than its owner meant.
UPDATE api_keys SET revoked = created WHERE filter IS NOT NULL AND revoked IS NULL;
ALTER TABLE api_keys DROP COLUMN filter;
