-- Proof of what was kept outside of the database: slices of a Queue, one behind the other.
CREATE TABLE "backup" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "period" TEXT NOT NULL,
    "period_from" TIMESTAMPTZ(6) NOT NULL,
    "period_to" TIMESTAMPTZ(6) NOT NULL,
    "receipts" INTEGER NOT NULL,
    "first_number" BIGINT,
    "last_number" BIGINT,
    "object" TEXT,
    "bytes" BIGINT NOT NULL,
    "sha256" BYTEA,
    "verified" INTEGER NOT NULL,
    "findings" INTEGER NOT NULL,
    "stored_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "backup_pkey" PRIMARY KEY ("account_id", "id")
);

CREATE UNIQUE INDEX "backup_account_id_queue_id_period_from_key" ON "backup"("account_id", "queue_id", "period_from");
CREATE INDEX "backup_findings_idx" ON "backup"("account_id") WHERE "findings" > 0;

REVOKE UPDATE, DELETE, TRUNCATE ON "backup" FROM CURRENT_USER;
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "backup" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "backup" ENABLE ALWAYS TRIGGER "append_only";
