-- What names people is found by its age when its period is over, without reading the rest.
CREATE INDEX "delivery_personal" ON "delivery" ("moment") WHERE "user_agent" IS NOT NULL OR "address_hash" IS NOT NULL;
CREATE INDEX "message_personal" ON "message" ("changed_at") WHERE "address_masked" <> '';
CREATE INDEX "invitation_personal" ON "invitation" ("done") WHERE "done" IS NOT NULL AND "email_key" NOT LIKE 'erased:%';
