-- A receipt and the first record of its country in one row: where the law has one for one, one row is written
-- instead of two. Nothing is moved: what was written before stays where it is, and is read from there.

-- CreateTable
CREATE TABLE "recorded_receipt" (
    "account_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "time_stamp" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "receipt_moment" TIMESTAMPTZ(6) NOT NULL,
    "receipt_number" BIGINT NOT NULL,
    "receipt_total" DECIMAL(65,30) NOT NULL,
    "queue_item_id" UUID NOT NULL,
    "receipt_hash" BYTEA NOT NULL,
    "market_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "number" BIGINT NOT NULL,
    "scu_id" UUID,
    "certificate_fingerprint" BYTEA,
    "content" TEXT NOT NULL,

    CONSTRAINT "recorded_receipt_pkey" PRIMARY KEY ("account_id","queue_id","time_stamp")
);

-- ------------------------------------------------------------------------------------------------
-- From here on written by hand: Prisma's schema cannot say it.

ALTER TABLE "recorded_receipt"
    ADD CONSTRAINT "receipt_journal_time_stamp_check" CHECK ("time_stamp" > 0),
    ADD CONSTRAINT "receipt_journal_receipt_number_check" CHECK ("receipt_number" > 0),
    ADD CONSTRAINT "receipt_journal_receipt_hash_check" CHECK (octet_length("receipt_hash") = 32),
    ADD CONSTRAINT "recorded_receipt_number_check" CHECK ("number" >= 0),
    ADD CONSTRAINT "recorded_receipt_certificate_fingerprint_check" CHECK (octet_length("certificate_fingerprint") = 32);

-- Whoever reads the receipt journal reads these rows as well, each table by its own key.
ALTER TABLE "recorded_receipt" INHERIT "receipt_journal";

REVOKE UPDATE, DELETE, TRUNCATE ON "recorded_receipt" FROM CURRENT_USER;
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "recorded_receipt" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "recorded_receipt" ENABLE ALWAYS TRIGGER "append_only";

-- The country's journal in whole; a record has the tick behind that of its receipt. Exports read the two
-- tables by their keys.
CREATE VIEW "market_row" AS
SELECT "account_id", "queue_id", "time_stamp", "id", "kind", "number", "scu_id", "queue_item_id", "certificate_fingerprint", "content"
FROM "market_journal"
UNION ALL
SELECT "account_id", "queue_id", "time_stamp" + 1, "market_id", "kind", "number", "scu_id", "queue_item_id", "certificate_fingerprint", "content"
FROM "recorded_receipt";

-- Request and answer of a usual receipt are some 2.8 kB. PostgreSQL compresses the longer one, and the other one
-- only where the row is still longer than this: a third of a page. Compressing was its largest single cost.
ALTER TABLE "queue_item" SET (toast_tuple_target = 2700);
