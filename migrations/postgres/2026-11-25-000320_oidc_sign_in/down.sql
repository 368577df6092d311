DROP INDEX api_keys_of_sign_ins;
DROP TABLE sign_in_attempts;
