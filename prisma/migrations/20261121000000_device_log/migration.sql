-- The log of a signing device that several queues share, in the order of its own counter.
CREATE INDEX "market_journal_device_log_idx" ON "market_journal"("account_id", "scu_id", "number") WHERE "kind" = 'device-log';
