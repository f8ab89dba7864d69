ALTER TABLE "person" ADD COLUMN "passkey_factor" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "passkey" (
    "id" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "used_at" TIMESTAMPTZ(6),
    CONSTRAINT "passkey_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "passkey_person_id_idx" ON "passkey"("person_id");

CREATE TABLE "person_identity" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "person_identity_pkey" PRIMARY KEY ("issuer", "subject")
);
CREATE INDEX "person_identity_person_id_idx" ON "person_identity"("person_id");

CREATE TABLE "login_step" (
    "hash" BYTEA NOT NULL,
    "kind" TEXT NOT NULL,
    "session_id" UUID,
    "network" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    CONSTRAINT "login_step_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "login_step_network_created_at_idx" ON "login_step"("network", "created_at");
CREATE INDEX "login_step_created_at_idx" ON "login_step"("created_at");
