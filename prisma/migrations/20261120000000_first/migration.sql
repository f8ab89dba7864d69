-- CreateTable
CREATE TABLE "account" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "market" TEXT NOT NULL,
    "country" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "roles" TEXT[],
    "auto_invite" BOOLEAN NOT NULL DEFAULT false,
    "access_token_hash" BYTEA,
    "access_token_sealed" BYTEA,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "connection" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "to_account_id" UUID NOT NULL,
    "rights" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "connection_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "outlet" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "details" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "outlet_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "receipt_app" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "share_url" TEXT,
    "secret_hash" BYTEA NOT NULL,
    "secret_sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "receipt_app_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "directory" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "account_id" UUID NOT NULL,

    CONSTRAINT "directory_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cash_box" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "outlet_id" UUID,
    "description" TEXT NOT NULL,
    "access_token_hash" BYTEA NOT NULL,
    "access_token_sealed" BYTEA NOT NULL,
    "private_key_sealed" BYTEA NOT NULL,
    "time_stamp" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "cash_box_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "cash_box_scu" (
    "account_id" UUID NOT NULL,
    "cash_box_id" UUID NOT NULL,
    "scu_id" UUID NOT NULL,

    CONSTRAINT "cash_box_scu_pkey" PRIMARY KEY ("account_id","cash_box_id","scu_id")
);

-- CreateTable
CREATE TABLE "scu" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "market" TEXT NOT NULL,
    "package" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "mode" INTEGER NOT NULL DEFAULT 0,
    "url" TEXT,
    "configuration" TEXT NOT NULL,
    "secrets_sealed" BYTEA,
    "state" TEXT NOT NULL,
    "fault_script" TEXT,
    "version" BIGINT NOT NULL DEFAULT 0,
    "time_stamp" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "scu_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "certificate" (
    "account_id" UUID NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "der" BYTEA NOT NULL,
    "chain" BYTEA[],

    CONSTRAINT "certificate_pkey" PRIMARY KEY ("account_id","fingerprint")
);

-- CreateTable
CREATE TABLE "queue" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "cash_box_id" UUID NOT NULL,
    "market" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "identification" TEXT NOT NULL,
    "configuration" TEXT NOT NULL,
    "secrets_sealed" BYTEA,
    "timeout_ms" INTEGER NOT NULL DEFAULT 0,
    "start_moment" TIMESTAMPTZ(6),
    "stop_moment" TIMESTAMPTZ(6),
    "current_row" BIGINT NOT NULL DEFAULT 0,
    "queued_row" BIGINT NOT NULL DEFAULT 0,
    "receipt_numerator" BIGINT NOT NULL DEFAULT 0,
    "receipt_totalizer" DECIMAL(65,30) NOT NULL DEFAULT 0,
    "receipt_hash" BYTEA,
    "state" TEXT NOT NULL,
    "last_moment" TIMESTAMPTZ(6),
    "time_stamp" BIGINT NOT NULL,
    "version" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "queue_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateTable
CREATE TABLE "queue_scu" (
    "account_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "scu_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "queue_scu_pkey" PRIMARY KEY ("account_id","queue_id","scu_id")
);

-- CreateTable
CREATE TABLE "queue_item" (
    "account_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "row" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "queue_moment" TIMESTAMPTZ(6) NOT NULL,
    "timeout_ms" INTEGER NOT NULL,
    "work_moment" TIMESTAMPTZ(6),
    "done_moment" TIMESTAMPTZ(6),
    "receipt_moment" TIMESTAMPTZ(6) NOT NULL,
    "terminal_id" TEXT,
    "receipt_reference" TEXT,
    "country" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "request" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "response" TEXT,
    "response_hash" BYTEA,
    "processing_version" TEXT NOT NULL,
    "time_stamp" BIGINT NOT NULL,

    CONSTRAINT "queue_item_pkey" PRIMARY KEY ("account_id","queue_id","row")
);

-- CreateTable
CREATE TABLE "receipt_journal" (
    "account_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "time_stamp" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "receipt_moment" TIMESTAMPTZ(6) NOT NULL,
    "receipt_number" BIGINT NOT NULL,
    "receipt_total" DECIMAL(65,30) NOT NULL,
    "queue_item_id" UUID NOT NULL,
    "receipt_hash" BYTEA NOT NULL,

    CONSTRAINT "receipt_journal_pkey" PRIMARY KEY ("account_id","queue_id","time_stamp")
);

-- CreateTable
CREATE TABLE "action_journal" (
    "account_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "time_stamp" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "queue_item_id" UUID,
    "moment" TIMESTAMPTZ(6) NOT NULL,
    "priority" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "data_base64" TEXT,
    "data_json" TEXT,

    CONSTRAINT "action_journal_pkey" PRIMARY KEY ("account_id","queue_id","time_stamp")
);

-- CreateTable
CREATE TABLE "market_journal" (
    "account_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "time_stamp" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "number" BIGINT NOT NULL,
    "scu_id" UUID,
    "queue_item_id" UUID NOT NULL,
    "certificate_fingerprint" BYTEA,
    "content" TEXT NOT NULL,

    CONSTRAINT "market_journal_pkey" PRIMARY KEY ("account_id","queue_id","time_stamp")
);

-- CreateTable
CREATE TABLE "operation" (
    "account_id" UUID NOT NULL,
    "cash_box_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "state" TEXT NOT NULL,
    "status" INTEGER,
    "response" TEXT,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "finished_at" TIMESTAMPTZ(6),

    CONSTRAINT "operation_pkey" PRIMARY KEY ("account_id","cash_box_id","id")
);

-- CreateIndex
CREATE INDEX "connection_to_account_id_idx" ON "connection"("to_account_id");

-- CreateIndex
CREATE UNIQUE INDEX "connection_account_id_to_account_id_key" ON "connection"("account_id", "to_account_id");

-- CreateIndex
CREATE UNIQUE INDEX "outlet_account_id_number_key" ON "outlet"("account_id", "number");

-- CreateIndex
CREATE INDEX "queue_account_id_cash_box_id_idx" ON "queue"("account_id", "cash_box_id");

-- CreateIndex
CREATE UNIQUE INDEX "queue_account_id_identification_key" ON "queue"("account_id", "identification");

-- CreateIndex
CREATE INDEX "queue_scu_account_id_scu_id_idx" ON "queue_scu"("account_id", "scu_id");

-- CreateIndex
CREATE INDEX "queue_item_account_id_queue_id_receipt_reference_time_stamp_idx" ON "queue_item"("account_id", "queue_id", "receipt_reference", "time_stamp");

-- CreateIndex
CREATE INDEX "queue_item_account_id_id_idx" ON "queue_item"("account_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "queue_item_account_id_queue_id_time_stamp_key" ON "queue_item"("account_id", "queue_id", "time_stamp");

-- ------------------------------------------------------------------------------------------------
-- From here on written by hand: Prisma's schema cannot say it.

-- Append-only, first lock: the server's role owns the tables, and an owner can give up its own rights.
-- What is in a journal stays as it is; a queue item gets its answer once.
REVOKE UPDATE, DELETE, TRUNCATE ON "certificate", "queue_item", "receipt_journal", "action_journal", "market_journal" FROM CURRENT_USER;
GRANT UPDATE ("work_moment", "done_moment", "response", "response_hash", "processing_version", "time_stamp") ON "queue_item" TO CURRENT_USER;

-- Second lock: triggers, which hold against a superuser and against rights that come back by mistake.
-- "always": also in a session that plays replication.
CREATE FUNCTION "refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: the ledger is append-only', tg_op, tg_table_name
        USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "certificate" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "certificate" ENABLE ALWAYS TRIGGER "append_only";
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "receipt_journal" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "receipt_journal" ENABLE ALWAYS TRIGGER "append_only";
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "action_journal" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "action_journal" ENABLE ALWAYS TRIGGER "append_only";
CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "market_journal" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "market_journal" ENABLE ALWAYS TRIGGER "append_only";

-- A queue item: never gone, its request never changed (no column of it may even be named), and closed
-- when it is done. The condition of the last one is checked without calling a function.
CREATE TRIGGER "append_only" BEFORE DELETE OR TRUNCATE ON "queue_item" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "queue_item" ENABLE ALWAYS TRIGGER "append_only";
CREATE TRIGGER "request_stays" BEFORE UPDATE OF "account_id", "queue_id", "row", "id", "queue_moment", "timeout_ms", "receipt_moment", "terminal_id", "receipt_reference", "country", "version", "request", "request_hash" ON "queue_item" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "queue_item" ENABLE ALWAYS TRIGGER "request_stays";
CREATE TRIGGER "done_stays" BEFORE UPDATE ON "queue_item" FOR EACH ROW WHEN (old."done_moment" IS NOT NULL) EXECUTE FUNCTION "refuse_change"();
ALTER TABLE "queue_item" ENABLE ALWAYS TRIGGER "done_stays";

-- Broken values stop here, whatever program wrote them. Hashes are SHA-256.
ALTER TABLE "account"
    ADD CONSTRAINT "account_access_token_hash_check" CHECK (octet_length("access_token_hash") = 32);
ALTER TABLE "outlet"
    ADD CONSTRAINT "outlet_number_check" CHECK ("number" > 0 AND "number" <> 2);
ALTER TABLE "cash_box"
    ADD CONSTRAINT "cash_box_access_token_hash_check" CHECK (octet_length("access_token_hash") = 32);
ALTER TABLE "scu"
    ADD CONSTRAINT "scu_version_check" CHECK ("version" >= 0);
ALTER TABLE "certificate"
    ADD CONSTRAINT "certificate_fingerprint_check" CHECK (octet_length("fingerprint") = 32);
ALTER TABLE "queue"
    ADD CONSTRAINT "queue_rows_check" CHECK ("current_row" >= 0 AND "queued_row" >= "current_row"),
    ADD CONSTRAINT "queue_receipt_numerator_check" CHECK ("receipt_numerator" >= 0),
    ADD CONSTRAINT "queue_receipt_hash_check" CHECK (octet_length("receipt_hash") = 32),
    ADD CONSTRAINT "queue_version_check" CHECK ("version" >= 0);
ALTER TABLE "queue_item"
    ADD CONSTRAINT "queue_item_row_check" CHECK ("row" > 0),
    ADD CONSTRAINT "queue_item_time_stamp_check" CHECK ("time_stamp" > 0),
    ADD CONSTRAINT "queue_item_request_hash_check" CHECK (octet_length("request_hash") = 32),
    ADD CONSTRAINT "queue_item_response_check" CHECK (("response" IS NULL) = ("response_hash" IS NULL)),
    ADD CONSTRAINT "queue_item_response_hash_check" CHECK (octet_length("response_hash") = 32);
ALTER TABLE "receipt_journal"
    ADD CONSTRAINT "receipt_journal_time_stamp_check" CHECK ("time_stamp" > 0),
    ADD CONSTRAINT "receipt_journal_receipt_number_check" CHECK ("receipt_number" > 0),
    ADD CONSTRAINT "receipt_journal_receipt_hash_check" CHECK (octet_length("receipt_hash") = 32);
ALTER TABLE "action_journal"
    ADD CONSTRAINT "action_journal_time_stamp_check" CHECK ("time_stamp" > 0);
ALTER TABLE "market_journal"
    ADD CONSTRAINT "market_journal_time_stamp_check" CHECK ("time_stamp" > 0),
    ADD CONSTRAINT "market_journal_number_check" CHECK ("number" >= 0),
    ADD CONSTRAINT "market_journal_certificate_fingerprint_check" CHECK (octet_length("certificate_fingerprint") = 32);
ALTER TABLE "operation"
    ADD CONSTRAINT "operation_request_hash_check" CHECK (octet_length("request_hash") = 32),
    ADD CONSTRAINT "operation_status_check" CHECK ("status" BETWEEN 100 AND 599);

-- The heads are updated with every receipt: room in the page keeps the new version beside the old one
-- (no index is touched), and a small table is cleaned up often, whatever share of it changed.
ALTER TABLE "queue" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE "scu" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- Items that wait for a remote device, or were left behind by a crash: few, and asked for at start.
CREATE INDEX "queue_item_unfinished_idx" ON "queue_item"("account_id", "queue_id", "row") WHERE "done_moment" IS NULL;
