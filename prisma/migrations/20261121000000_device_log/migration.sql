-- CreateTable
CREATE TABLE "pos_system" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "brand" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "software_version" TEXT NOT NULL,
    "base_currency" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "pos_system_pkey" PRIMARY KEY ("account_id","id")
);

-- The log of a signing device that several queues share, in the order of its own counter.
CREATE INDEX "market_journal_device_log_idx" ON "market_journal"("account_id", "scu_id", "number") WHERE "kind" = 'device-log';
