-- AlterTable
ALTER TABLE "connection" ADD COLUMN     "ends_at" TIMESTAMPTZ(6);
