-- CreateTable
CREATE TABLE "contact" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "email_key" TEXT NOT NULL,
    "first_name" TEXT NOT NULL,
    "last_name" TEXT NOT NULL,
    "details" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "contact_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "invitation" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "email_key" TEXT NOT NULL,
    "company" TEXT NOT NULL,
    "contact" TEXT NOT NULL,
    "rights" TEXT,
    "done" TIMESTAMPTZ(6),
    "success" BOOLEAN,
    "last_run" TIMESTAMPTZ(6),
    "last_result" TEXT,
    "result_contact_id" UUID,
    "result_account_id" UUID,
    "deleted" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "invitation_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "invitation_settings" (
    "account_id" UUID NOT NULL,
    "document" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "invitation_settings_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "invitation_pdf" (
    "account_id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "data" BYTEA NOT NULL,
    "stored" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "invitation_pdf_pkey" PRIMARY KEY ("account_id","hash")
);

-- CreateTable
CREATE TABLE "activation" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "invitation_id" UUID NOT NULL,
    "operator_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "state" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "activation_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "agreement" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "text_hash" BYTEA NOT NULL,
    "signed_by" TEXT NOT NULL,
    "dealer_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "moment" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "agreement_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "contact_email_key_idx" ON "contact"("email_key");

-- CreateIndex
CREATE INDEX "invitation_account_id_done_idx" ON "invitation"("account_id", "done");

-- CreateIndex
CREATE INDEX "invitation_account_id_last_run_idx" ON "invitation"("account_id", "last_run");

-- CreateIndex
CREATE UNIQUE INDEX "activation_token_hash_key" ON "activation"("token_hash");

-- CreateIndex
CREATE INDEX "activation_account_id_invitation_id_idx" ON "activation"("account_id", "invitation_id");

-- From here on written by hand: Prisma's schema cannot say it.

-- One live record per contact e-mail; a deleted one frees its address.
CREATE UNIQUE INDEX "invitation_email_key" ON "invitation"("account_id", "email_key") WHERE NOT "deleted";
CREATE INDEX "invitation_pending_idx" ON "invitation"("account_id", "created_at") WHERE "done" IS NULL;

-- Users and companies are looked for in the form in which they are compared.
CREATE INDEX "account_email_key_idx" ON "account"(lower(btrim("email")));
CREATE INDEX "account_place_key_idx" ON "account"(lower(btrim("name")), upper(btrim("postal_code")));
CREATE INDEX "account_vat_key_idx" ON "account"(upper(regexp_replace("vat_id", '[[:space:]./-]', '', 'g'))) WHERE "vat_id" <> '';
CREATE INDEX "account_tax_key_idx" ON "account"(upper(regexp_replace("tax_id", '[[:space:]./-]', '', 'g'))) WHERE "tax_id" <> '';

-- What was signed stays what it was.
REVOKE UPDATE, DELETE, TRUNCATE ON "agreement" FROM CURRENT_USER;
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "agreement" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "agreement" ENABLE ALWAYS TRIGGER "append_only";

REVOKE DELETE, TRUNCATE ON "invitation" FROM CURRENT_USER;

-- Compressed once already.
ALTER TABLE "invitation_pdf" ALTER COLUMN "data" SET STORAGE EXTERNAL;

ALTER TABLE "invitation"
    ADD CONSTRAINT "invitation_rights_check" CHECK ("rights" IN ('Undefined', 'None', 'Read', 'ReadWrite', 'Full')),
    ADD CONSTRAINT "invitation_deleted_check" CHECK (NOT "deleted" OR "done" IS NOT NULL);
ALTER TABLE "activation"
    ADD CONSTRAINT "activation_state_check" CHECK ("state" IN ('open', 'used', 'revoked'));
