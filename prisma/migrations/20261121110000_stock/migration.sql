-- AlterTable
ALTER TABLE "scu" ADD COLUMN     "hidden" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "entitlement_lot" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "market" TEXT NOT NULL,
    "total" DECIMAL(18,2) NOT NULL,
    "remaining" DECIMAL(18,2) NOT NULL,
    "valid_from" TIMESTAMPTZ(6) NOT NULL,
    "valid_to" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "entitlement_lot_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "rollout_plan" (
    "id" UUID NOT NULL,
    "number" TEXT NOT NULL,
    "market" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "features" TEXT[],
    "allow_template_override" BOOLEAN NOT NULL,
    "preview" BOOLEAN NOT NULL,
    "image_url" TEXT NOT NULL,
    "owner_id" UUID,
    "business_type" TEXT NOT NULL,
    "rollout_type" TEXT NOT NULL,
    "restricted" BOOLEAN NOT NULL,
    "allowed" UUID[],
    "products" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "rollout_plan_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sales_order" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "number" TEXT NOT NULL,
    "state" INTEGER NOT NULL,
    "production_state" INTEGER NOT NULL,
    "plan_number" TEXT NOT NULL,
    "operator_id" UUID NOT NULL,
    "consumed" TEXT NOT NULL,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "sales_order_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "subscription" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "order_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "operator_id" UUID NOT NULL,
    "outlet_number" INTEGER NOT NULL,
    "target" TEXT NOT NULL,
    "product" TEXT NOT NULL,
    "template_id" UUID,
    "cash_box_id" UUID,
    "queue_id" UUID,
    "scu_id" UUID,
    "live" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "subscription_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "entitlement_lot_account_id_market_name_idx" ON "entitlement_lot"("account_id", "market", "name");

-- CreateIndex
CREATE UNIQUE INDEX "rollout_plan_number_key" ON "rollout_plan"("number");

-- CreateIndex
CREATE UNIQUE INDEX "sales_order_number_key" ON "sales_order"("number");

-- CreateIndex
CREATE INDEX "subscription_account_id_order_id_idx" ON "subscription"("account_id", "order_id");

-- CreateIndex
CREATE INDEX "subscription_operator_id_product_idx" ON "subscription"("operator_id", "product");

-- From here on written by hand: Prisma's schema cannot say it.

-- Whatever a program does wrong: nobody uses up what he does not have.
ALTER TABLE "entitlement_lot"
    ADD CONSTRAINT "entitlement_lot_remaining_check" CHECK ("remaining" >= 0 AND "remaining" <= "total");
ALTER TABLE "rollout_plan"
    ADD CONSTRAINT "rollout_plan_business_type_check" CHECK ("business_type" IN ('None', 'DealerPackage', 'MoveEntitlement')),
    ADD CONSTRAINT "rollout_plan_rollout_type_check" CHECK ("rollout_type" IN ('None', 'Outlet', 'Queue'));
ALTER TABLE "sales_order"
    ADD CONSTRAINT "sales_order_state_check" CHECK ("state" BETWEEN 0 AND 4);
-- A product is on an outlet or a queue once.
CREATE UNIQUE INDEX "subscription_once_per_target" ON "subscription"("operator_id", "target", "product") WHERE "live";
-- The running part of order numbers.
CREATE SEQUENCE "sales_order_number" AS bigint START 1;
