-- What detectors look for each minute in tables that grow.
CREATE INDEX "message_failed_idx" ON "message"("changed_at") WHERE "state" = 'failed';

CREATE INDEX "invitation_open_idx" ON "invitation"("created_at") WHERE "done" IS NULL;

CREATE INDEX "sales_order_submitted_idx" ON "sales_order"("production_state") WHERE "state" = 1;

CREATE INDEX "connection_pending_idx" ON "connection"("created_at") WHERE "state" = 'pending';

-- Those that are over are kept for a while only.
CREATE INDEX "problem_cleared_idx" ON "problem"("cleared_at") WHERE "cleared_at" IS NOT NULL;
