-- The last calls over HTTP, in the sandbox alone: a day and a few for each caller. Nothing that anybody
-- may rely on, so a crash may take them.
CREATE UNLOGGED TABLE "kept_call" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "cash_box_id" UUID,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "is_proven" BOOLEAN NOT NULL,
    "via" TEXT NOT NULL,
    "api" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "route" TEXT,
    "path" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "ms" DOUBLE PRECISION NOT NULL,
    "code" TEXT,
    "message" TEXT,
    "trace_id" TEXT NOT NULL,
    "headers" TEXT NOT NULL,
    "body" TEXT,
    "body_bytes" INTEGER NOT NULL,
    "answer" TEXT,
    "answer_bytes" INTEGER,
    "answer_type" TEXT,

    CONSTRAINT "kept_call_pkey" PRIMARY KEY ("account_id","id")
);
CREATE INDEX "kept_call_account_id_cash_box_id_id_idx" ON "kept_call"("account_id", "cash_box_id", "id");
CREATE INDEX "kept_call_at_idx" ON "kept_call"("at");
