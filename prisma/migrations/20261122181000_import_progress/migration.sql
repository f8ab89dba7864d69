-- CreateTable
CREATE TABLE "invitation_import" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "runner" INTEGER NOT NULL,
    "running" BOOLEAN NOT NULL,
    "rows" INTEGER NOT NULL,
    "created" INTEGER NOT NULL,
    "skipped" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "invitation_import_pkey" PRIMARY KEY ("account_id","id")
);
