-- CreateTable
CREATE TABLE "idempotent_call" (
    "account_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "answer_sealed" BYTEA,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "idempotent_call_pkey" PRIMARY KEY ("account_id","key")
);

-- CreateIndex
CREATE INDEX "idempotent_call_account_id_created_at_idx" ON "idempotent_call"("account_id", "created_at");
