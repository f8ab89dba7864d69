-- Long work that was taken up from a process that is not heard of any more says so: when that was
-- heard of last, and when another one went on.
ALTER TABLE "job" ADD COLUMN     "interrupted_at" TIMESTAMPTZ(6),
ADD COLUMN     "resumed_at" TIMESTAMPTZ(6);
