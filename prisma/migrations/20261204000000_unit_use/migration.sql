-- How much of what a security device can do is used up, as it told itself: shares, null where it
-- tells no limit.
ALTER TABLE "unit_fact" ADD COLUMN "signatures_used" REAL, ADD COLUMN "memory_used" REAL;
