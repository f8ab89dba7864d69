-- Security devices that sign for other servers: what each call made them log, with the answer that a repeated
-- call gets, and exports of their memory while they are fetched.
CREATE TABLE "served_log" (
    "account_id" UUID NOT NULL,
    "scu_id" UUID NOT NULL,
    "number" BIGINT NOT NULL,
    "time_stamp" BIGINT NOT NULL,
    "call_key" TEXT NOT NULL,
    "answer" TEXT NOT NULL,
    "content" TEXT NOT NULL,

    CONSTRAINT "served_log_pkey" PRIMARY KEY ("account_id","scu_id","number")
);

CREATE TABLE "served_export" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "scu_id" UUID NOT NULL,
    "range_from" BIGINT NOT NULL,
    "range_to" BIGINT NOT NULL,
    "erased" BOOLEAN NOT NULL,
    "sha256" BYTEA NOT NULL,
    "tar" BYTEA NOT NULL,
    "sent" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "served_export_pkey" PRIMARY KEY ("account_id","id")
);

CREATE INDEX "served_export_account_id_scu_id_created_at_idx" ON "served_export"("account_id", "scu_id", "created_at");

-- ------------------------------------------------------------------------------------------------
-- From here on written by hand: Prisma's schema cannot say it.

-- A call is found again by its key.
CREATE INDEX "served_log_call_idx" ON "served_log"("account_id", "scu_id", "call_key") WHERE "call_key" <> '';

REVOKE UPDATE, DELETE, TRUNCATE ON "served_log" FROM CURRENT_USER;
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "served_log" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "served_log" ENABLE ALWAYS TRIGGER "append_only";

-- Parts are cut out of the middle.
ALTER TABLE "served_export" ALTER COLUMN "tar" SET STORAGE EXTERNAL;
