-- How many receipts a register usually has, so that its silence can be told in numbers.
ALTER TABLE "activity" ADD COLUMN "usual" INTEGER[];
