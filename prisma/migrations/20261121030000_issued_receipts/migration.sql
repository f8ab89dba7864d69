-- CreateTable
CREATE TABLE "issued_address" (
    "queue_id" UUID NOT NULL,
    "queue_item_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,

    CONSTRAINT "issued_address_pkey" PRIMARY KEY ("queue_id","queue_item_id")
);

-- CreateTable
CREATE TABLE "issued_receipt" (
    "account_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "queue_item_id" UUID NOT NULL,
    "cash_box_id" UUID NOT NULL,
    "row" BIGINT,
    "request" TEXT,
    "response" TEXT,
    "warning" TEXT,
    "issued_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "issued_receipt_pkey" PRIMARY KEY ("account_id","queue_id","queue_item_id")
);

-- CreateTable
CREATE TABLE "delivery" (
    "account_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "queue_item_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "moment" TIMESTAMPTZ(6) NOT NULL,
    "method" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "counts" BOOLEAN NOT NULL,
    "app_id" UUID,
    "user_agent" TEXT,
    "address_hash" BYTEA,

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("account_id","queue_id","queue_item_id","id")
);

-- CreateTable
CREATE TABLE "delivery_unnoted" (
    "account_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "queue_item_id" UUID NOT NULL,
    "id" UUID NOT NULL,

    CONSTRAINT "delivery_unnoted_pkey" PRIMARY KEY ("account_id","queue_id","queue_item_id","id")
);

-- From here on written by hand: Prisma's schema cannot say it.

-- What was published stays what it was, and so does the record of who took it.
REVOKE UPDATE, DELETE, TRUNCATE ON "issued_receipt", "delivery" FROM CURRENT_USER;
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "issued_receipt" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "issued_receipt" ENABLE ALWAYS TRIGGER "append_only";
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "delivery" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "delivery" ENABLE ALWAYS TRIGGER "append_only";

ALTER TABLE "issued_receipt"
    ADD CONSTRAINT "issued_receipt_pair_check" CHECK (
        ("row" IS NULL) = ("request" IS NOT NULL) AND ("request" IS NULL) = ("response" IS NULL));
ALTER TABLE "delivery"
    ADD CONSTRAINT "delivery_kind_check" CHECK ("kind" IN ('customer', 'app', 'pos', 'robot')),
    ADD CONSTRAINT "delivery_address_hash_check" CHECK (octet_length("address_hash") = 32);
