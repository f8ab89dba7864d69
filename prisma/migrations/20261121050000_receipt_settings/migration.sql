-- CreateTable
CREATE TABLE "receipt_settings" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "document" TEXT NOT NULL,
    "logo" BYTEA,
    "logo_type" TEXT,
    "logo_url" TEXT,
    "version" UUID NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "receipt_settings_pkey" PRIMARY KEY ("account_id","id")
);

ALTER TABLE "receipt_settings"
    ADD CONSTRAINT "receipt_settings_logo_check" CHECK (
        ("logo" IS NULL) = ("logo_type" IS NULL)
        AND ("logo_type" IS NULL OR "logo_type" IN ('image/png', 'image/jpeg'))
        AND ("logo" IS NULL OR octet_length("logo") <= 20480));
