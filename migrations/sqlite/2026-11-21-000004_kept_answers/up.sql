-- The first answers to requests that may be sent again, by author and the key that the client chose.
-- A row without an answer is an attempt that runs, until its time is over.
CREATE TABLE kept_answers (
  workspace TEXT NOT NULL,
  author TEXT NOT NULL,
  request_key TEXT NOT NULL,
  token TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  until BIGINT NOT NULL,
  status INTEGER,
  content_type TEXT,
  body BLOB,
  PRIMARY KEY (workspace, author, request_key),
  FOREIGN KEY (workspace, author) REFERENCES users (workspace, id)
);
CREATE INDEX kept_answers_by_end ON kept_answers (until);
