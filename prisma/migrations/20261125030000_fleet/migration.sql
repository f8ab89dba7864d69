-- What lists show of signing units: read out of them by this program, kept apart from rows that
-- receipts write.
CREATE TABLE "unit_fact" (
    "account_id" UUID NOT NULL,
    "scu_id" UUID NOT NULL,
    "serial" TEXT NOT NULL DEFAULT '',
    "certification_id" TEXT,
    "certificate_ends" TIMESTAMPTZ(6),
    "module_state" INTEGER,
    "described_stamp" BIGINT NOT NULL DEFAULT 0,
    "described_at" TIMESTAMPTZ(6),

    CONSTRAINT "unit_fact_pkey" PRIMARY KEY ("account_id","scu_id")
);

CREATE INDEX "unit_fact_certificate_ends_idx" ON "unit_fact"("certificate_ends");

CREATE INDEX "unit_fact_new_idx" ON "unit_fact"("account_id") WHERE "described_at" IS NULL;

INSERT INTO "unit_fact" ("account_id", "scu_id") SELECT "account_id", "id" FROM "scu";

CREATE FUNCTION note_unit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unit_fact (account_id, scu_id) VALUES (NEW.account_id, NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER unit_noted AFTER INSERT ON scu FOR EACH ROW EXECUTE FUNCTION note_unit();

-- When the middleware of a cash box fetched what was published, and which publication that was.
ALTER TABLE "publication" ADD COLUMN "fetched_at" TIMESTAMPTZ(6);
ALTER TABLE "publication" ADD COLUMN "fetched_stamp" BIGINT;

CREATE INDEX "cash_box_scu_account_id_scu_id_idx" ON "cash_box_scu"("account_id", "scu_id");
