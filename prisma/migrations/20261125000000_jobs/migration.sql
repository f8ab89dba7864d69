-- Long work of an account: how far it is, who does it, and until when that can be believed.
CREATE TABLE "job" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "asked_by" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "phase" TEXT,
    "done" BIGINT NOT NULL DEFAULT 0,
    "total" BIGINT,
    "unit" TEXT,
    "bytes" BIGINT,
    "eta" TIMESTAMPTZ(6),
    "lease" UUID,
    "runner" BIGINT,
    "lease_until" TIMESTAMPTZ(6),
    "heartbeat" TIMESTAMPTZ(6),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "args" TEXT NOT NULL,
    "checkpoint" TEXT,
    "result" TEXT,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "started_at" TIMESTAMPTZ(6),
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "job_pkey" PRIMARY KEY ("account_id","id")
) WITH (fillfactor = 70);

ALTER TABLE "job"
    ADD CONSTRAINT "job_state_check" CHECK ("state" IN ('queued', 'running', 'succeeded', 'failed', 'canceled')),
    ADD CONSTRAINT "job_lease_check" CHECK (("state" = 'running') = ("lease" IS NOT NULL));

CREATE INDEX "job_account_id_created_at_id_idx" ON "job"("account_id", "created_at", "id");

-- What somebody may have to take up; without the lease, so that a pulse touches no index.
CREATE INDEX "job_open_idx" ON "job"("created_at") WHERE "state" IN ('queued', 'running');

CREATE INDEX "job_finished_idx" ON "job"("finished_at") WHERE "finished_at" IS NOT NULL;
