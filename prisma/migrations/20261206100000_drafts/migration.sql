-- Work that was begun and not done, so that it is there after a logout.
-- CreateTable
CREATE TABLE "draft" (
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "draft_pkey" PRIMARY KEY ("account_id","name")
);
