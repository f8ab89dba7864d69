-- CreateTable
CREATE TABLE "payment_terminal" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "cash_box_id" UUID NOT NULL,
    "terminal_filter" TEXT,
    "provider" TEXT NOT NULL,
    "url" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "payment_terminal_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "payment" (
    "account_id" UUID NOT NULL,
    "cash_box_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "reference" TEXT,
    "action" TEXT NOT NULL,
    "terminal_id" UUID,
    "cancelled_by" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "payment_pkey" PRIMARY KEY ("account_id","cash_box_id","id")
);

-- CreateIndex
CREATE INDEX "payment_terminal_account_id_cash_box_id_idx" ON "payment_terminal"("account_id", "cash_box_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_account_id_cash_box_id_reference_key" ON "payment"("account_id", "cash_box_id", "reference");

ALTER TABLE "payment"
    ADD CONSTRAINT "payment_action_check"
    CHECK ("action" IN ('payment', 'refund', 'cancel', 'foreign'));
