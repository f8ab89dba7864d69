-- AlterTable
ALTER TABLE "account" ADD COLUMN     "city" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "fibu_nr" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "gln" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "line1" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "line2" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "phone" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "postal_code" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "siren" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "tax_id" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "tax_number" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "vat_id" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "website" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "audit_entry" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "on_behalf_of" UUID,
    "operation" TEXT NOT NULL,
    "subjects" TEXT NOT NULL,
    "before" TEXT,
    "after" TEXT,
    "moment" TIMESTAMPTZ(6) NOT NULL,
    "trace_id" TEXT NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "audit_entry_on_behalf_of_id_idx" ON "audit_entry"("on_behalf_of", "id");

-- From here on written by hand: Prisma's schema cannot say it.

-- Who changed what stays what it was.
REVOKE UPDATE, DELETE, TRUNCATE ON "audit_entry" FROM CURRENT_USER;
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_entry" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "audit_entry" ENABLE ALWAYS TRIGGER "append_only";

-- The address of a company was kept in its primary outlet alone.
UPDATE "account" a SET
    "line1" = coalesce(o."details"::jsonb ->> 'street', ''),
    "postal_code" = coalesce(o."details"::jsonb ->> 'zip', ''),
    "city" = coalesce(o."details"::jsonb ->> 'city', '')
FROM "outlet" o WHERE o."account_id" = a."id" AND o."number" = 1;
-- Every account has a primary outlet.
INSERT INTO "outlet" ("account_id", "id", "number", "name", "details", "created_at")
SELECT a."id", gen_random_uuid(), 1, a."name",
    json_build_object('street', '', 'zip', '', 'city', '', 'country', a."country")::text,
    a."created_at"
FROM "account" a
WHERE NOT EXISTS (SELECT 1 FROM "outlet" o WHERE o."account_id" = a."id" AND o."number" = 1);

ALTER TABLE "connection"
    ADD CONSTRAINT "connection_rights_check" CHECK ("rights" IN ('None', 'Read', 'ReadWrite', 'Full')),
    ADD CONSTRAINT "connection_state_check" CHECK ("state" IN ('pending', 'active'));
