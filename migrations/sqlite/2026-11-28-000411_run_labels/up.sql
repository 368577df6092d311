-- Labels of a run, each between two commas.
ALTER TABLE runs ADD COLUMN labels TEXT NOT NULL DEFAULT '';
