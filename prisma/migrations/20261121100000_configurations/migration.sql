-- DropIndex
DROP INDEX "queue_account_id_identification_key";

-- AlterTable
ALTER TABLE "cash_box" ADD COLUMN     "ip_address" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "outlet_number" INTEGER,
ADD COLUMN     "product_type" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "published_at" BIGINT;

-- AlterTable
ALTER TABLE "queue" ADD COLUMN     "commissioning_date" TIMESTAMPTZ(6),
ADD COLUMN     "package" TEXT NOT NULL DEFAULT 'fiskalwerk.Queue',
ADD COLUMN     "package_version" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "purchase_date" TIMESTAMPTZ(6),
ADD COLUMN     "repeated" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "url" TEXT NOT NULL DEFAULT '[]',
ALTER COLUMN "cash_box_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "scu" ADD COLUMN     "outlet_id" UUID,
ADD COLUMN     "package_name" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "package_version" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "urls" TEXT NOT NULL DEFAULT '[]';

-- CreateTable
CREATE TABLE "helper" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "description" TEXT NOT NULL,
    "package" TEXT NOT NULL,
    "package_version" TEXT NOT NULL DEFAULT '',
    "configuration" TEXT NOT NULL DEFAULT '{}',
    "url" TEXT NOT NULL DEFAULT '[]',
    "time_stamp" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "helper_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "cash_box_helper" (
    "account_id" UUID NOT NULL,
    "cash_box_id" UUID NOT NULL,
    "helper_id" UUID NOT NULL,

    CONSTRAINT "cash_box_helper_pkey" PRIMARY KEY ("account_id","cash_box_id","helper_id")
);

-- CreateTable
CREATE TABLE "component_settings" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "settings_sealed" BYTEA NOT NULL,
    "time_stamp" BIGINT NOT NULL,

    CONSTRAINT "component_settings_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "publication" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "document_sealed" BYTEA NOT NULL,

    CONSTRAINT "publication_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "template" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "market" TEXT NOT NULL,
    "product_number" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "image_url" TEXT NOT NULL,
    "link_url" TEXT NOT NULL,
    "mode" INTEGER NOT NULL,
    "deactivated" BOOLEAN NOT NULL DEFAULT false,
    "price" DECIMAL(18,4) NOT NULL DEFAULT 0,
    "content" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "modified_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "template_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "cash_box_helper_account_id_helper_id_idx" ON "cash_box_helper"("account_id", "helper_id");

-- CreateIndex
CREATE INDEX "template_market_idx" ON "template"("market");

-- CreateIndex
CREATE UNIQUE INDEX "template_account_id_name_key" ON "template"("account_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "queue_account_id_identification_repeated_key" ON "queue"("account_id", "identification", "repeated");

-- From here on written by hand: Prisma's schema cannot say it.

ALTER TABLE "cash_box"
    ADD CONSTRAINT "cash_box_product_type_check" CHECK ("product_type" BETWEEN 0 AND 2);
ALTER TABLE "template"
    ADD CONSTRAINT "template_mode_check" CHECK ("mode" >= 0 AND "mode" & ~240 = 0);
