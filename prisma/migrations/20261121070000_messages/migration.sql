-- CreateTable
CREATE TABLE "message" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "cash_box_id" UUID,
    "address_sealed" BYTEA,
    "data_sealed" BYTEA,
    "address_masked" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "runner" INTEGER,
    "fenced_at" TIMESTAMPTZ(6),
    "last_error" TEXT,
    "provider_id" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "message_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "message_account_id_subject_idx" ON "message"("account_id", "subject");

-- CreateIndex
CREATE INDEX "message_account_id_cash_box_id_created_at_idx" ON "message"("account_id", "cash_box_id", "created_at");

-- From here on written by hand: Prisma's schema cannot say it.

-- Lists and sweeps look for what is not sent, which is little.
CREATE INDEX "message_open_idx" ON "message"("created_at") WHERE "state" <> 'sent' AND "state" <> 'stored';

-- A message that was sent stays what it was, and no row vanishes.
REVOKE DELETE, TRUNCATE ON "message" FROM CURRENT_USER;

ALTER TABLE "message"
    ADD CONSTRAINT "message_channel_check" CHECK ("channel" IN ('email', 'sms', 'whatsapp')),
    ADD CONSTRAINT "message_state_check" CHECK (
        "state" IN ('stored', 'queued', 'sending', 'sent', 'failed', 'unsure')),
    ADD CONSTRAINT "message_runner_check" CHECK (("state" = 'sending') = ("runner" IS NOT NULL)),
    ADD CONSTRAINT "message_sealed_check" CHECK (
        "state" = 'sent' OR ("address_sealed" IS NOT NULL AND "data_sealed" IS NOT NULL));
