-- AlterTable
ALTER TABLE "operation" ADD COLUMN     "content_type" TEXT,
ADD COLUMN     "method" TEXT NOT NULL DEFAULT 'POST',
ADD COLUMN     "queue_id" UUID,
ADD COLUMN     "queue_item_id" UUID,
ADD COLUMN     "request" TEXT,
ADD COLUMN     "request_headers" TEXT NOT NULL DEFAULT '{}',
ADD COLUMN     "runner" INTEGER;

-- AlterTable
ALTER TABLE "queue_item" ADD COLUMN     "operation_id" UUID;

ALTER TABLE "operation"
    ADD CONSTRAINT "operation_state_check" CHECK ("state" IN ('processing', 'done', 'failed'));

-- Which operation asked for an item never changes either.
DROP TRIGGER "request_stays" ON "queue_item";
CREATE TRIGGER "request_stays" BEFORE UPDATE OF "account_id", "queue_id", "row", "id", "queue_moment", "timeout_ms", "receipt_moment", "terminal_id", "receipt_reference", "country", "version", "request", "request_hash", "operation_id" ON "queue_item" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "queue_item" ENABLE ALWAYS TRIGGER "request_stays";

-- What runs is found without reading what has ended.
CREATE INDEX "operation_running_idx" ON "operation"("account_id") WHERE "state" = 'processing';
