-- CreateTable
CREATE TABLE "pairing_pin" (
    "account_id" UUID NOT NULL,
    "cash_box_id" UUID NOT NULL,
    "pin_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "pairing_pin_pkey" PRIMARY KEY ("account_id","cash_box_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "pairing_pin_pin_hash_key" ON "pairing_pin"("pin_hash");
