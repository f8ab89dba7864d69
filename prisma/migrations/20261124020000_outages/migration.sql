-- Outages of queues, from the events that tell of them.
CREATE TABLE "outage" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "cash_box_id" UUID,
    "cause" TEXT NOT NULL,
    "began_at" TIMESTAMPTZ(6) NOT NULL,
    "ended_at" TIMESTAMPTZ(6),

    CONSTRAINT "outage_pkey" PRIMARY KEY ("account_id","id")
);

CREATE INDEX "outage_account_id_began_at_id_idx" ON "outage"("account_id", "began_at", "id");

-- One at a time of each cause.
CREATE UNIQUE INDEX "outage_open_key" ON "outage"("account_id", "queue_id", "cause") WHERE "ended_at" IS NULL;
