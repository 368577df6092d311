-- What makes a key public, as JSON; null for a secret key.
ALTER TABLE api_keys ADD COLUMN publication TEXT;
-- The name of the page of this server that uses a public key. It stands in a URL without a workspace.
ALTER TABLE api_keys ADD COLUMN page TEXT;
CREATE UNIQUE INDEX api_keys_by_page ON api_keys (page) WHERE page IS NOT NULL;
