-- Who has called is one column, so that the newest calls of a caller are found by an index. What
-- was kept of the last day goes: it was a help for a look back, and no record.
TRUNCATE "kept_call";
DROP INDEX "kept_call_account_id_cash_box_id_id_idx";
ALTER TABLE "kept_call" ADD COLUMN "caller_id" UUID;
CREATE INDEX "kept_call_account_id_caller_id_is_proven_id_idx" ON "kept_call"("account_id", "caller_id", "is_proven", "id");
