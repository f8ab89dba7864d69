-- Exports of security devices as they come, in parts: more than fits into memory, and still there when a process
-- ends on the way. Exports that other servers fetch lie here too; "served_export" is written no more.
CREATE TABLE "unit_tar" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "scu_id" UUID NOT NULL,
    "token" TEXT NOT NULL DEFAULT '',
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "parts" INTEGER NOT NULL DEFAULT 0,
    "facts" TEXT NOT NULL DEFAULT '',
    "gone" BOOLEAN NOT NULL DEFAULT false,
    "sent" BIGINT NOT NULL DEFAULT 0,
    "holder" UUID,
    "held_until" TIMESTAMPTZ(6) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "unit_tar_pkey" PRIMARY KEY ("account_id","id")
);

CREATE INDEX "unit_tar_account_id_scu_id_created_at_idx" ON "unit_tar"("account_id", "scu_id", "created_at");

CREATE TABLE "unit_tar_part" (
    "account_id" UUID NOT NULL,
    "tar_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "start" BIGINT NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "unit_tar_part_pkey" PRIMARY KEY ("account_id","tar_id","number")
);

-- ------------------------------------------------------------------------------------------------
-- From here on written by hand: Prisma's schema cannot say it.

-- One of a device is on its way at a time.
CREATE UNIQUE INDEX "unit_tar_growing_idx" ON "unit_tar"("account_id", "scu_id") WHERE "facts" = '';

-- Parts are compressed before they come.
ALTER TABLE "unit_tar_part" ALTER COLUMN "content" SET STORAGE EXTERNAL;
