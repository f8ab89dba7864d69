-- AlterTable
ALTER TABLE "activity" ADD COLUMN "on_holidays" BOOLEAN;
