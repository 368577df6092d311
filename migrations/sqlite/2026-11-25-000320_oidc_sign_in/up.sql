-- Attempts to sign in at an identity provider that were completed, or tried to be, so that none is completed twice. They
-- belong to no workspace yet.
CREATE TABLE sign_in_attempts (
  state TEXT NOT NULL PRIMARY KEY,
  expires BIGINT NOT NULL
);
CREATE INDEX sign_in_attempts_by_expiry ON sign_in_attempts (expires);

-- For their deletion. Issued keys, which are most, are not in it.
CREATE INDEX api_keys_of_sign_ins ON api_keys (expires) WHERE kind = 'sign_in';
