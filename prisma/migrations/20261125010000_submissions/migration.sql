-- What authorities are to be told of registers, units and places, by when, and what became of it.
CREATE TABLE "submission" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "market" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "occasion" TEXT NOT NULL,
    "queue_id" UUID,
    "cash_box_id" UUID,
    "moment" TIMESTAMPTZ(6) NOT NULL,
    "due" TIMESTAMPTZ(6) NOT NULL,
    "state" TEXT NOT NULL,
    "is_ready" BOOLEAN NOT NULL,
    "reminded" INTEGER NOT NULL DEFAULT 0,
    "done_on" DATE,
    "reference" TEXT,
    "note" TEXT,
    "done_by" UUID,
    "told" TEXT,
    "covered_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "submission_pkey" PRIMARY KEY ("account_id","id")
);

-- A thing is told once of each occasion, whoever finds it.
CREATE UNIQUE INDEX "submission_account_id_kind_subject_occasion_key" ON "submission"("account_id", "kind", "subject", "occasion");

CREATE INDEX "submission_account_id_due_id_idx" ON "submission"("account_id", "due", "id");

-- What is still to be done, over all accounts.
CREATE INDEX "submission_open_idx" ON "submission"("due") WHERE "state" IN ('planned', 'ready');

-- What registers tell in passing, and reports hang on: another signing unit, a yearly receipt.
CREATE TABLE "report_occasion" (
    "account_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "report_occasion_pkey" PRIMARY KEY ("account_id","queue_id","kind","at")
);

-- Of what happened before, nobody knows here whether it was told.
CREATE TABLE "report_start" (
    "id" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "report_start_pkey" PRIMARY KEY ("id")
);

INSERT INTO "report_start" ("id", "at") VALUES (1, now());

-- What a register or a signing unit is registered with beside what this server knows of it.
CREATE TABLE "registration_entry" (
    "account_id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "details" TEXT NOT NULL,
    "out_of_operation" DATE,
    "changed_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "registration_entry_pkey" PRIMARY KEY ("account_id","subject")
);
