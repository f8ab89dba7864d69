-- What names people beside the ledger may become empty; everything else in these rows stays as it was written.
GRANT UPDATE ("user_agent", "address_hash") ON "delivery" TO CURRENT_USER;
GRANT UPDATE ("address") ON "agreement" TO CURRENT_USER;
DROP TRIGGER "append_only" ON "delivery";
CREATE TRIGGER "append_only" BEFORE UPDATE OF "account_id", "queue_id", "queue_item_id", "id", "moment", "method", "kind", "counts", "app_id", "campaign" OR DELETE OR TRUNCATE ON "delivery" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "delivery" ENABLE ALWAYS TRIGGER "append_only";
CREATE TRIGGER "only_erased" BEFORE UPDATE ON "delivery" FOR EACH ROW WHEN (new."user_agent" IS NOT NULL OR new."address_hash" IS NOT NULL) EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "delivery" ENABLE ALWAYS TRIGGER "only_erased";
DROP TRIGGER "append_only" ON "agreement";
CREATE TRIGGER "append_only" BEFORE UPDATE OF "account_id", "id", "name", "text", "text_hash", "signed_by", "dealer_id", "moment" OR DELETE OR TRUNCATE ON "agreement" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "agreement" ENABLE ALWAYS TRIGGER "append_only";
CREATE TRIGGER "only_erased" BEFORE UPDATE ON "agreement" FOR EACH ROW WHEN (new."address" <> '') EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "agreement" ENABLE ALWAYS TRIGGER "only_erased";

-- A message that will never be sent need not hold what it would need for it.
ALTER TABLE "message" DROP CONSTRAINT "message_sealed_check";
UPDATE "message" SET
    "address_sealed" = nullif("address_sealed", ''::bytea),
    "data_sealed" = nullif("data_sealed", ''::bytea)
    WHERE "address_sealed" = ''::bytea OR "data_sealed" = ''::bytea;
ALTER TABLE "message" ADD CONSTRAINT "message_sealed_check" CHECK (
    "state" NOT IN ('queued', 'sending') OR ("address_sealed" IS NOT NULL AND "data_sealed" IS NOT NULL));

-- Programs of callers are not kept with operations any more.
UPDATE "operation" SET "request_headers" =
    regexp_replace("request_headers", '"user-agent":"(\\.|[^"\\])*"', '"user-agent":"***"')
    WHERE "request_headers" LIKE '%"user-agent":"%' AND "request_headers" NOT LIKE '%"user-agent":"***"%';

CREATE INDEX "agreement_personal" ON "agreement" ("moment") WHERE "address" <> '';
