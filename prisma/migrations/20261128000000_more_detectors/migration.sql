-- How many of the newest receipts of a Queue have a moment that is far from that of the server.
CREATE TABLE "clock_check" (
    "account_id" UUID NOT NULL,
    "queue_id" UUID NOT NULL,
    "checked_at" TIMESTAMPTZ(6) NOT NULL,
    "looked_at" INTEGER NOT NULL,
    "off" INTEGER NOT NULL,
    "off_since" TIMESTAMPTZ(6),

    CONSTRAINT "clock_check_pkey" PRIMARY KEY ("account_id","queue_id")
);

-- What detectors look for each minute: of these there are few.
CREATE INDEX "clock_check_off_idx" ON "clock_check"("account_id") WHERE "off" >= 20;

-- Addresses of bundles that were handed out: each can be ended alone.
CREATE TABLE "inspection_link" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "inspection_id" UUID NOT NULL,
    "made_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "until" TIMESTAMPTZ(6) NOT NULL,
    "revoked_at" TIMESTAMPTZ(6),
    "fetches" INTEGER NOT NULL DEFAULT 0,
    "fetched_at" TIMESTAMPTZ(6),

    CONSTRAINT "inspection_link_pkey" PRIMARY KEY ("account_id","id")
);

CREATE INDEX "inspection_link_account_id_inspection_id_idx" ON "inspection_link"("account_id", "inspection_id");
