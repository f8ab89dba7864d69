-- CreateTable
CREATE TABLE "queue_membership" (
    "account_id" UUID NOT NULL,
    "cash_box_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "since" TIMESTAMPTZ(6) NOT NULL,
    "until" TIMESTAMPTZ(6),

    CONSTRAINT "queue_membership_pkey" PRIMARY KEY ("account_id","cash_box_id","queue_id","since")
);

-- CreateIndex
CREATE INDEX "queue_membership_account_id_queue_id_idx" ON "queue_membership"("account_id", "queue_id");

-- Where a queue is now.
INSERT INTO queue_membership (account_id, cash_box_id, queue_id, since)
SELECT account_id, cash_box_id, id, created_at FROM queue WHERE cash_box_id IS NOT NULL;

-- Where it was, as far as is known: from published receipts, from the records of operations, and
-- from the first and the last answer of each queue.
INSERT INTO queue_membership (account_id, cash_box_id, queue_id, since, until)
SELECT DISTINCT q.account_id, p.cash_box_id, q.id, q.created_at, now()
FROM queue q
JOIN LATERAL (
  SELECT r.cash_box_id FROM issued_receipt r
  WHERE r.account_id = q.account_id AND r.queue_id = q.id AND r."row" IS NOT NULL
  UNION SELECT o.cash_box_id FROM operation o
  WHERE o.account_id = q.account_id AND o.queue_id = q.id
  UNION SELECT substring(i.response FROM '"ftCashBoxID":"([0-9a-fA-F-]{36})"')::uuid FROM (
    (SELECT response FROM queue_item WHERE account_id = q.account_id AND queue_id = q.id
      AND response IS NOT NULL ORDER BY "row" LIMIT 1)
    UNION ALL
    (SELECT response FROM queue_item WHERE account_id = q.account_id AND queue_id = q.id
      AND response IS NOT NULL ORDER BY "row" DESC LIMIT 1)) i
) p ON p.cash_box_id IS NOT NULL AND p.cash_box_id IS DISTINCT FROM q.cash_box_id
JOIN cash_box c ON c.account_id = q.account_id AND c.id = p.cash_box_id;

-- Whoever changes where a queue is writes down where it was. The sign statement sets no cash box
-- and never comes here.
CREATE FUNCTION note_queue_membership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NEW.cash_box_id IS NOT DISTINCT FROM OLD.cash_box_id THEN RETURN NULL; END IF;
    UPDATE queue_membership SET until = clock_timestamp()
    WHERE account_id = OLD.account_id AND cash_box_id = OLD.cash_box_id AND queue_id = OLD.id
      AND until IS NULL;
  END IF;
  IF NEW.cash_box_id IS NOT NULL THEN
    INSERT INTO queue_membership (account_id, cash_box_id, queue_id, since)
    VALUES (NEW.account_id, NEW.cash_box_id, NEW.id, clock_timestamp());
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER queue_membership_noted AFTER INSERT OR UPDATE OF cash_box_id ON queue
FOR EACH ROW EXECUTE FUNCTION note_queue_membership();
