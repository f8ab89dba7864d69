-- Who gets the events of an account by a call of this server. The cursor is what was taken; the
-- rest of the row is how the next try stands.
CREATE TABLE "webhook" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "types" TEXT[],
    "mode" TEXT NOT NULL,
    "secret_sealed" BYTEA NOT NULL,
    "old_secret_sealed" BYTEA,
    "old_until" TIMESTAMPTZ(6),
    "state" TEXT NOT NULL,
    "cursor" BIGINT NOT NULL,
    "taken" BIGINT[],
    "replay_next" BIGINT,
    "replay_to" BIGINT,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(6),
    "next_at" TIMESTAMPTZ(6),
    "last_error" TEXT,
    "lease" UUID,
    "lease_until" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("account_id","id")
);

ALTER TABLE "webhook"
    ADD CONSTRAINT "webhook_mode_check" CHECK ("mode" IN ('ordered', 'parallel', 'batch')),
    ADD CONSTRAINT "webhook_state_check" CHECK ("state" IN ('active', 'disabled'));

CREATE TABLE "webhook_attempt" (
    "account_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "to_seq" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "status" INTEGER,
    "ms" INTEGER NOT NULL,
    "error" TEXT,

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("account_id","webhook_id","id")
);
