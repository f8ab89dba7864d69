-- What detectors look at in the states of Queues, read out of them once a minute by one statement:
-- states are long texts, and a question that reads all of them takes a second for 100,000.
CREATE TABLE "queue_watch" (
    "account_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "market" TEXT NOT NULL,
    "cash_box_id" UUID,
    "is_used" BOOLEAN NOT NULL,
    "open_since" TIMESTAMPTZ(6),
    "settled_at" TIMESTAMPTZ(6),
    "archive_since" TIMESTAMPTZ(6),
    "transaction_since" TIMESTAMPTZ(6),
    "log_missing_since" TIMESTAMPTZ(6),
    "memory_used" DOUBLE PRECISION,
    "memory_unit" UUID,

    CONSTRAINT "queue_watch_pkey" PRIMARY KEY ("account_id","queue_id")
);

-- Of these there are few.
CREATE INDEX "queue_watch_transaction_idx" ON "queue_watch"("transaction_since") WHERE "transaction_since" IS NOT NULL;
CREATE INDEX "queue_watch_log_idx" ON "queue_watch"("log_missing_since") WHERE "log_missing_since" IS NOT NULL;
CREATE INDEX "queue_watch_memory_idx" ON "queue_watch"("account_id", "memory_unit") WHERE "memory_used" > 0.8;
CREATE INDEX "queue_url_idx" ON "queue"("account_id") WHERE "url" <> '[]';
CREATE INDEX "scu_urls_idx" ON "scu"("account_id") WHERE "urls" <> '[]';

-- The country of a unit beside its serial number: both are looked at together.
ALTER TABLE "unit_fact" ADD COLUMN "market" TEXT NOT NULL DEFAULT '';
UPDATE "unit_fact" f SET "market" = s."market" FROM "scu" s WHERE s."account_id" = f."account_id" AND s."id" = f."scu_id";

CREATE OR REPLACE FUNCTION note_unit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unit_fact (account_id, scu_id, market) VALUES (NEW.account_id, NEW.id, NEW.market)
  ON CONFLICT (account_id, scu_id) DO UPDATE SET market = excluded.market;
  RETURN NULL;
END $$;
DROP TRIGGER unit_noted ON scu;
CREATE TRIGGER unit_noted AFTER INSERT OR UPDATE OF market ON scu FOR EACH ROW EXECUTE FUNCTION note_unit();

-- What has happened lately of which an authority may have to be told, without reading everything.
CREATE INDEX "queue_started_idx" ON "queue"("start_moment") WHERE "start_moment" IS NOT NULL;
CREATE INDEX "queue_stopped_idx" ON "queue"("stop_moment") WHERE "stop_moment" IS NOT NULL;
CREATE INDEX "report_occasion_at_idx" ON "report_occasion"("at");
CREATE INDEX "registration_entry_changed_idx" ON "registration_entry"("changed_at");
CREATE INDEX "outage_began_idx" ON "outage"("began_at");
CREATE INDEX "outage_ended_idx" ON "outage"("ended_at") WHERE "ended_at" IS NOT NULL;
CREATE INDEX "submission_waiting_idx" ON "submission"("market") WHERE NOT "is_ready";

-- Lists of units by their country, and of what nobody has published.
CREATE INDEX "unit_fact_market_idx" ON "unit_fact"("market", "account_id", "scu_id");
CREATE INDEX "cash_box_unpublished_idx" ON "cash_box"("account_id", "id") WHERE "published_at" IS NULL OR "time_stamp" > "published_at";
