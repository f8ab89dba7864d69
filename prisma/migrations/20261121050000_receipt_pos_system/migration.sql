-- AlterTable
ALTER TABLE "queue_item" ADD COLUMN     "pos_system_id" TEXT;

-- Which POS system made a receipt never changes either.
DROP TRIGGER "request_stays" ON "queue_item";
CREATE TRIGGER "request_stays" BEFORE UPDATE OF "account_id", "queue_id", "row", "id", "queue_moment", "timeout_ms", "receipt_moment", "terminal_id", "pos_system_id", "receipt_reference", "country", "version", "request", "request_hash", "operation_id" ON "queue_item" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "queue_item" ENABLE ALWAYS TRIGGER "request_stays";
