DROP TABLE notes;
DROP TABLE noted_resources;
DROP INDEX files_by_workspace;
