DROP INDEX form_versions_by_age;
