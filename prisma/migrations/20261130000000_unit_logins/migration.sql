-- Logins to signing devices: who tries now, and which credentials were refused. A hash, no secret.
CREATE TABLE "unit_login" (
    "account_id" UUID NOT NULL,
    "scu_id" UUID NOT NULL,
    "credentials" TEXT NOT NULL,
    "trying_until" TIMESTAMPTZ(6) NOT NULL,
    "refused_at" TIMESTAMPTZ(6),

    CONSTRAINT "unit_login_pkey" PRIMARY KEY ("account_id","scu_id")
);
