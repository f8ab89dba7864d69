-- In whose name receipts go into the wallets of phones.
-- CreateTable
CREATE TABLE "wallet_issuer" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "maker" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "secrets_sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "wallet_issuer_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "wallet_issuer_account_id_maker_key" ON "wallet_issuer"("account_id", "maker");
