DROP TABLE batch_calls;
DROP TABLE batches;
