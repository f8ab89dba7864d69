-- Lists over all merchants find what few rows are by keys, merchant by merchant in their order. No
-- column of these indexes is written by receipts.
CREATE INDEX "queue_unused_idx" ON "queue"("account_id", "id") WHERE "start_moment" IS NULL;
CREATE INDEX "queue_ended_idx" ON "queue"("account_id", "id") INCLUDE ("cash_box_id") WHERE "stop_moment" IS NOT NULL;
CREATE INDEX "queue_account_id_market_id_idx" ON "queue"("account_id", "market", "id");
CREATE INDEX "cash_box_account_id_outlet_id_id_idx" ON "cash_box"("account_id", "outlet_id", "id");
CREATE INDEX "cash_box_outlet_number_idx" ON "cash_box"("account_id", "outlet_number", "id") WHERE "outlet_number" IS NOT NULL;
CREATE INDEX "scu_outlet_idx" ON "scu"("account_id", "outlet_id", "id") WHERE "outlet_id" IS NOT NULL;
CREATE INDEX "unit_fact_account_ends_idx" ON "unit_fact"("account_id", "certificate_ends") INCLUDE ("scu_id") WHERE "certificate_ends" IS NOT NULL;
CREATE INDEX "unit_fact_ended_idx" ON "unit_fact"("account_id", "scu_id") WHERE "module_state" = 2;
CREATE INDEX "unit_fact_account_market_idx" ON "unit_fact"("account_id", "market", "scu_id");

-- Each way in which problems are sorted.
CREATE INDEX "problem_by_severity_idx" ON "problem"("account_id", (("cleared_at" IS NULL)::int4), (-"severity"), "since", "id");
CREATE INDEX "problem_by_kind_idx" ON "problem"("account_id", "kind", (("cleared_at" IS NULL)::int4), (-"severity"), "since", "id");
CREATE INDEX "problem_by_since_idx" ON "problem"("account_id", (("cleared_at" IS NULL)::int4), "since", "id");
CREATE INDEX "problem_by_due_idx" ON "problem"("account_id", (("cleared_at" IS NULL)::int4), (coalesce("due", '9999-12-31 00:00:00+00'::timestamptz)), "id");

-- Cash boxes that have signed nothing, and units that no queue signs with: few, and told by no
-- column. What is in here may have been used since; what is not in here has been.
CREATE TABLE "spare" (
    "account_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "noted_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "spare_pkey" PRIMARY KEY ("account_id","kind","id")
);

-- The kind, and the column that has its id. Whoever notes one that is noted already holds it, so
-- that nobody takes it away by what he saw before.
CREATE FUNCTION note_spare() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  thing uuid := to_jsonb(CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END) ->> TG_ARGV[1];
BEGIN
  IF thing IS NOT NULL THEN
    INSERT INTO spare (account_id, kind, id, noted_at)
    VALUES (CASE TG_OP WHEN 'INSERT' THEN NEW.account_id ELSE OLD.account_id END, TG_ARGV[0], thing, clock_timestamp())
    ON CONFLICT (account_id, kind, id) DO UPDATE SET noted_at = excluded.noted_at;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER cash_box_spare AFTER INSERT ON cash_box FOR EACH ROW EXECUTE FUNCTION note_spare('cashbox', 'id');
CREATE TRIGGER queue_spare AFTER DELETE OR UPDATE OF cash_box_id ON queue FOR EACH ROW EXECUTE FUNCTION note_spare('cashbox', 'cash_box_id');
CREATE TRIGGER scu_spare AFTER INSERT ON scu FOR EACH ROW EXECUTE FUNCTION note_spare('scu', 'id');
CREATE TRIGGER queue_scu_spare AFTER DELETE OR UPDATE OF scu_id ON queue_scu FOR EACH ROW EXECUTE FUNCTION note_spare('scu', 'scu_id');

INSERT INTO "spare" ("account_id", "kind", "id", "noted_at")
SELECT c."account_id", 'cashbox', c."id", now() FROM "cash_box" c
WHERE NOT EXISTS (SELECT FROM "queue" q WHERE q."account_id" = c."account_id" AND q."cash_box_id" = c."id" AND q."start_moment" IS NOT NULL)
UNION ALL SELECT s."account_id", 'scu', s."id", now() FROM "scu" s
WHERE NOT EXISTS (SELECT FROM "queue_scu" u WHERE u."account_id" = s."account_id" AND u."scu_id" = s."id");

-- What is too old is found by its number: every event is written to one index less.
DROP INDEX "event_account_id_at_idx";

-- About when a queue was seen at work last: never later than its newest receipt, and written every
-- six hours at most, by the look at all registers. Queues that are silent for long are found by it.
ALTER TABLE "queue_watch" ADD COLUMN "seen" TIMESTAMPTZ(6);
CREATE INDEX "queue_watch_seen_idx" ON "queue_watch"("account_id", (coalesce("seen", '-infinity'::timestamptz)), "queue_id");
