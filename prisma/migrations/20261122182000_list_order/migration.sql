-- CreateIndex
CREATE INDEX "cash_box_account_id_created_at_id_idx" ON "cash_box"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "template_market_name_id_idx" ON "template"("market", "name", "id");

-- CreateIndex
CREATE INDEX "rollout_plan_market_number_idx" ON "rollout_plan"("market", "number");

-- CreateIndex
CREATE INDEX "scu_account_id_created_at_id_idx" ON "scu"("account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "queue_account_id_created_at_id_idx" ON "queue"("account_id", "created_at", "id");
