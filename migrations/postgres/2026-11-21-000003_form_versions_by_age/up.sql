CREATE INDEX form_versions_by_age ON form_versions (workspace, form, created, version);
