-- Servers whose tools the model of an agent may call: a JSON list with URL, allowed names and authorisation.
ALTER TABLE agents ADD COLUMN tools TEXT NOT NULL DEFAULT '[]';
