DELETE FROM jobs WHERE queue = 'webhooks';
DROP TABLE webhook_deliveries;
DROP TABLE webhooks;
