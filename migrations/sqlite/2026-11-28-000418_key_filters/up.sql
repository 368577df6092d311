-- What the metadata of an item must match for a key to find it, as JSON; null for all items of its knowledge bases.
ALTER TABLE api_keys ADD COLUMN filter TEXT;
