-- Further forms of an agent, to which documents are classified, in their order.
CREATE TABLE agent_forms (
  workspace TEXT NOT NULL,
  agent TEXT NOT NULL,
  position INTEGER NOT NULL,
  form TEXT NOT NULL,
  version INTEGER,
  PRIMARY KEY (workspace, agent, position),
  FOREIGN KEY (workspace, agent) REFERENCES agents (workspace, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace, form) REFERENCES forms (workspace, id)
);
CREATE INDEX agent_forms_by_form ON agent_forms (workspace, form);

-- What an evaluation of a version must fulfil before it is put in force: JSON; absent where nothing is demanded.
ALTER TABLE forms ADD COLUMN gate TEXT;
