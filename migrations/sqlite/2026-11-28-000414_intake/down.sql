ALTER TABLE forms DROP COLUMN gate;
DROP TABLE agent_forms;
