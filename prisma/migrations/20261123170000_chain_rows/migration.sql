-- Chains of a law are kinds of one letter: their exports read one of them, in the order of its documents.
CREATE INDEX "market_journal_chain_idx" ON "market_journal"("account_id", "queue_id", "kind", "time_stamp") WHERE length("kind") = 1;

-- Rows that are counted by a key, which is their number.
CREATE INDEX "market_journal_counted_idx" ON "market_journal"("account_id", "queue_id", "number") WHERE "kind" = 'counted';
