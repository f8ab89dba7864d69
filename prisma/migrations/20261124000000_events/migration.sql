-- What has happened, on its way into the streams: written with the change itself, and taken away by
-- whoever moves it on. Its numbers are given before the commit, so nobody reads by them.
CREATE TABLE "inbox" (
    "id" BIGSERIAL NOT NULL,
    "account_id" UUID NOT NULL,
    "also_account_id" UUID,
    "event_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "cash_box_id" UUID,
    "subject_kind" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "from_tick" BIGINT,
    "to_tick" BIGINT,
    "data" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "inbox_pkey" PRIMARY KEY ("id")
);

-- A gap-free stream per account.
CREATE TABLE "event" (
    "account_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "owner_id" UUID NOT NULL,
    "cash_box_id" UUID,
    "subject_kind" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "data" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("account_id","seq")
);

CREATE INDEX "event_account_id_type_seq_idx" ON "event"("account_id", "type", "seq");

CREATE INDEX "event_account_id_at_idx" ON "event"("account_id", "at");

CREATE TABLE "stream_head" (
    "account_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL DEFAULT 0,
    "first_seq" BIGINT NOT NULL DEFAULT 1,
    "receipts" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "stream_head_pkey" PRIMARY KEY ("account_id")
);

-- Events are not changed; those that are too old are taken away.
REVOKE UPDATE, TRUNCATE ON "event" FROM CURRENT_USER;

-- A small table whose rows come and go all the time.
ALTER TABLE "inbox" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
