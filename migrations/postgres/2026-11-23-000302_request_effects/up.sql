-- What a request stored, a line of JSON an effect, written in the transaction that stored it. A retry builds the
-- answer from it.
ALTER TABLE kept_answers ADD COLUMN effect TEXT;
-- Until now the number of a run stood in place of its answer. It is kept as long as before: a day from its time on.
UPDATE kept_answers SET effect = '{"kind":"run","ids":["' || convert_from(body, 'UTF8') || '"]}', status = NULL,
  content_type = NULL, body = NULL, until = until - 86400000000
  WHERE content_type = 'text/plain' AND status = 200;
