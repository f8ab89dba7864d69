-- Several API keys of an account, and which of them a change was made with.
CREATE TABLE "api_key" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT[],
    "token_hash" BYTEA NOT NULL,
    "old_hash" BYTEA,
    "old_until" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(6),
    "last_used_at" TIMESTAMPTZ(6),
    CONSTRAINT "api_key_pkey" PRIMARY KEY ("account_id", "id")
);

ALTER TABLE "audit_entry" ADD COLUMN "api_key_id" UUID;
