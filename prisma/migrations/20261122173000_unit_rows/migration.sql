-- Archives of a signing device and transactions that were ended on it belong to all its queues.
CREATE INDEX "market_journal_unit_idx" ON "market_journal"("account_id", "scu_id", "kind", "time_stamp", "id") WHERE "kind" IN ('archive', 'ended');

-- Receipts that a device has finished later, by the row of their item.
CREATE INDEX "market_journal_late_idx" ON "market_journal"("account_id", "queue_id", "number") WHERE "kind" = 'late';
