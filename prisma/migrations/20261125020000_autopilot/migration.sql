-- What is done about outages without a person: null: as the country and the installation have it.
ALTER TABLE "cash_box" ADD COLUMN "autopilot" TEXT;

-- How an outage goes on and ends. Its clock never begins later than the database heard of it.
ALTER TABLE "outage" ADD COLUMN "opened_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  ADD COLUMN "began_item" UUID,
  ADD COLUMN "closing_item" UUID,
  ADD COLUMN "receipts" INTEGER,
  ADD COLUMN "closed_by" TEXT,
  ADD COLUMN "units" UUID[],
  ADD COLUMN "look_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
  ADD COLUMN "asked_at" TIMESTAMPTZ(6),
  ADD COLUMN "asked_by" UUID,
  ADD COLUMN "attempts" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "closing_at" TIMESTAMPTZ(6),
  ADD COLUMN "closing_operation" UUID,
  ADD COLUMN "next_at" TIMESTAMPTZ(6),
  ADD COLUMN "lease" UUID,
  ADD COLUMN "lease_until" TIMESTAMPTZ(6);

-- Signing units that failed, while they are asked whether they answer again.
CREATE TABLE "unit_probe" (
    "account_id" UUID NOT NULL,
    "scu_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "since" TIMESTAMPTZ(6) NOT NULL,
    "good" INTEGER NOT NULL DEFAULT 0,
    "good_since" TIMESTAMPTZ(6),
    "bad" INTEGER NOT NULL DEFAULT 0,
    "told" BOOLEAN NOT NULL DEFAULT false,
    "probed_at" TIMESTAMPTZ(6),
    "last_error" TEXT,
    "next_at" TIMESTAMPTZ(6) NOT NULL,
    "lease" UUID,
    "lease_until" TIMESTAMPTZ(6),

    CONSTRAINT "unit_probe_pkey" PRIMARY KEY ("account_id","scu_id")
);

CREATE INDEX "unit_probe_next_at_idx" ON "unit_probe"("next_at");

-- What is looked for twice a second must not grow with the outages that go on.
CREATE INDEX "outage_look_at_idx" ON "outage"("look_at") WHERE "ended_at" IS NULL AND "cause" = 'device';

CREATE INDEX "outage_asked_idx" ON "outage"("asked_at") WHERE "ended_at" IS NULL AND "asked_at" IS NOT NULL;

CREATE INDEX "unit_probe_answering_idx" ON "unit_probe"("account_id", "scu_id") WHERE "state" = 'answering';
