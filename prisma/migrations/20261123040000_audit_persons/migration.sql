-- AlterTable
ALTER TABLE "audit_entry" ADD COLUMN     "concerns" UUID;

-- CreateIndex
CREATE INDEX "audit_entry_concerns_id_idx" ON "audit_entry"("concerns", "id");

-- From here on written by hand: Prisma's schema cannot say it.

-- What names people is not kept in rows that nobody can erase: as new rows have it, so have the old ones.
ALTER TABLE "audit_entry" DISABLE TRIGGER "append_only";
GRANT UPDATE ON "audit_entry" TO CURRENT_USER;
UPDATE "audit_entry" SET
    "before" = regexp_replace("before", '"(email|eMailAddress|firstName|lastName|phone|phoneNumber|telephone|fax|contactName)":"(?:\\.|[^"\\])+"', '"\1":"***"', 'gi'),
    "after" = regexp_replace("after", '"(email|eMailAddress|firstName|lastName|phone|phoneNumber|telephone|fax|contactName)":"(?:\\.|[^"\\])+"', '"\1":"***"', 'gi')
    WHERE concat("before", "after") ~* '"(email|eMailAddress|firstName|lastName|phone|phoneNumber|telephone|fax|contactName)":"[^"*]';
REVOKE UPDATE ON "audit_entry" FROM CURRENT_USER;
ALTER TABLE "audit_entry" ENABLE ALWAYS TRIGGER "append_only";
