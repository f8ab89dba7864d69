-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "campaign" TEXT;

-- AlterTable
ALTER TABLE "receipt_app" ADD COLUMN     "active" BOOLEAN NOT NULL DEFAULT true;

-- CreateTable
CREATE TABLE "link_key" (
    "owner_id" UUID NOT NULL,
    "generation" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "key_sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "link_key_pkey" PRIMARY KEY ("owner_id","generation")
);

-- CreateTable
CREATE TABLE "receipt_tag" (
    "tag" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "queue_item_id" UUID NOT NULL,

    CONSTRAINT "receipt_tag_pkey" PRIMARY KEY ("tag")
);

-- CreateTable
CREATE TABLE "receipt_alias" (
    "path" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "queue_item_id" UUID NOT NULL,
    "app_id" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "receipt_alias_pkey" PRIMARY KEY ("path")
);

-- CreateTable
CREATE TABLE "receipt_document" (
    "account_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "queue_item_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "media_type" TEXT NOT NULL,
    "filename" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,
    "app_id" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "receipt_document_pkey" PRIMARY KEY ("account_id","queue_id","queue_item_id","id")
);

-- CreateTable
CREATE TABLE "instore_event" (
    "account_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "queue_item_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "cash_box_id" UUID NOT NULL,
    "transaction" BIGINT NOT NULL,
    "moment" TIMESTAMPTZ(6) NOT NULL,
    "terminal_id" TEXT,
    "content" TEXT,

    CONSTRAINT "instore_event_pkey" PRIMARY KEY ("account_id","queue_id","queue_item_id","kind")
);

-- CreateIndex
CREATE UNIQUE INDEX "link_key_id_key" ON "link_key"("id");

-- CreateIndex
CREATE INDEX "receipt_alias_account_id_queue_id_queue_item_id_idx" ON "receipt_alias"("account_id", "queue_id", "queue_item_id");

-- CreateIndex
CREATE UNIQUE INDEX "receipt_document_account_id_queue_id_queue_item_id_hash_key" ON "receipt_document"("account_id", "queue_id", "queue_item_id", "hash");

-- CreateIndex
CREATE INDEX "instore_event_account_id_cash_box_id_transaction_idx" ON "instore_event"("account_id", "cash_box_id", "transaction");

-- CreateIndex
CREATE INDEX "instore_event_moment_idx" ON "instore_event"("moment");


-- From here on written by hand: Prisma's schema cannot say it.

-- Whoever had a name first keeps it, and a document stays what it was.
REVOKE UPDATE, DELETE, TRUNCATE ON "receipt_tag", "receipt_alias", "receipt_document" FROM CURRENT_USER;
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "receipt_tag" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "receipt_tag" ENABLE ALWAYS TRIGGER "append_only";
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "receipt_alias" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "receipt_alias" ENABLE ALWAYS TRIGGER "append_only";
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "receipt_document" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "receipt_document" ENABLE ALWAYS TRIGGER "append_only";

-- Images and PDF are compressed already.
ALTER TABLE "receipt_document" ALTER COLUMN "content" SET STORAGE EXTERNAL;

ALTER TABLE "delivery"
    ADD CONSTRAINT "delivery_campaign_check" CHECK (length("campaign") <= 64);
ALTER TABLE "receipt_document"
    ADD CONSTRAINT "receipt_document_size_check" CHECK ("size" = octet_length("content")),
    ADD CONSTRAINT "receipt_document_hash_check" CHECK (octet_length("hash") = 32);
ALTER TABLE "instore_event"
    ADD CONSTRAINT "instore_event_kind_check" CHECK ("kind" IN ('receipt', 'delivered'));
