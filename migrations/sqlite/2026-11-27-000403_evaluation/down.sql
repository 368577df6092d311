DROP INDEX runs_by_evaluation_set;
ALTER TABLE runs DROP COLUMN evaluation_set;
DROP TABLE evaluation_groups;
DROP TABLE evaluation_sets;
