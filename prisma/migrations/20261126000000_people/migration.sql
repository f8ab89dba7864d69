-- People who log in to the portal, for which accounts, and their sessions.
CREATE TABLE "person" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "language" TEXT,
    "password_hash" TEXT,
    "code_secret_sealed" BYTEA,
    "code_since" TIMESTAMPTZ(6),
    "code_step" BIGINT NOT NULL DEFAULT 0,
    "recovery_hashes" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "person_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "person_email_key" ON "person"("email");

CREATE TABLE "employee" (
    "account_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "employee_pkey" PRIMARY KEY ("account_id", "person_id")
);
CREATE INDEX "employee_person_id_idx" ON "employee"("person_id");

CREATE TABLE "session" (
    "hash" BYTEA NOT NULL,
    "id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "account_id" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "seen_at" TIMESTAMPTZ(6) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(6) NOT NULL,
    "address" TEXT NOT NULL,
    "agent" TEXT NOT NULL,
    CONSTRAINT "session_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "session_person_id_idx" ON "session"("person_id");
CREATE INDEX "session_created_at_idx" ON "session"("created_at");

CREATE TABLE "person_link" (
    "hash" BYTEA NOT NULL,
    "person_id" UUID NOT NULL,
    "purpose" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "person_link_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "person_link_person_id_idx" ON "person_link"("person_id");

-- Who of an account has done it; null: a program with its token.
ALTER TABLE "audit_entry" ADD COLUMN "person_id" UUID;
