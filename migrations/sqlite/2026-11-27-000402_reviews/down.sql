DROP TABLE reviews;
ALTER TABLE agents DROP COLUMN review;
