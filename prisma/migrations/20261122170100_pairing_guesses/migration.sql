-- AlterTable
ALTER TABLE "pairing_pin" ADD COLUMN "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateTable
CREATE TABLE "pairing_network" (
    "network" TEXT NOT NULL,
    "minute_at" TIMESTAMPTZ(6) NOT NULL,
    "minute_count" INTEGER NOT NULL,
    "day_at" TIMESTAMPTZ(6) NOT NULL,
    "day_count" INTEGER NOT NULL,

    CONSTRAINT "pairing_network_pkey" PRIMARY KEY ("network")
);

-- CreateTable
CREATE TABLE "pairing_chance" (
    "id" INTEGER NOT NULL,
    "spent" DOUBLE PRECISION NOT NULL,
    "pace" DOUBLE PRECISION NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "pairing_chance_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "pairing_network_day_at_idx" ON "pairing_network"("day_at");
