DROP TABLE workspace_quotas;
