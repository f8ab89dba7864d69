-- What is wrong, as detectors find it: one open row per kind and thing.
CREATE TABLE "problem" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "severity" INTEGER NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "cash_box_id" UUID,
    "since" TIMESTAMPTZ(6) NOT NULL,
    "due" TIMESTAMPTZ(6),
    "details" TEXT NOT NULL,
    "found_at" TIMESTAMPTZ(6) NOT NULL,
    "cleared_at" TIMESTAMPTZ(6),
    "snoozed_until" TIMESTAMPTZ(6),
    "snoozed_by" UUID,
    "snooze_reason" TEXT,

    CONSTRAINT "problem_pkey" PRIMARY KEY ("account_id","id")
);

CREATE INDEX "problem_account_id_cleared_at_severity_since_idx" ON "problem"("account_id", "cleared_at", "severity", "since");

CREATE UNIQUE INDEX "problem_open_key" ON "problem"("account_id", "kind", "subject_id") WHERE "cleared_at" IS NULL;

-- When each detector ran last, so that its silence can be believed.
CREATE TABLE "detector_run" (
    "kind" TEXT NOT NULL,
    "ran_at" TIMESTAMPTZ(6) NOT NULL,
    "ms" INTEGER NOT NULL,
    "open" INTEGER NOT NULL,

    CONSTRAINT "detector_run_pkey" PRIMARY KEY ("kind")
);

-- At which hours of the week a queue has receipts, and until when its silence is nothing special.
CREATE TABLE "activity" (
    "account_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "cells" SMALLINT[],
    "weeks" INTEGER NOT NULL,
    "computed_at" TIMESTAMPTZ(6) NOT NULL,
    "silent_since" TIMESTAMPTZ(6) NOT NULL,
    "expected_by" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "activity_pkey" PRIMARY KEY ("account_id","queue_id")
);
