-- A queue and a signing unit are written anew with every statement. PostgreSQL takes what nobody sees any more out of a
-- page when there is less room in it than this leaves: so the next state finds its place beside the one before, and no
-- index has to be told.
ALTER TABLE "queue" SET (fillfactor = 60);
ALTER TABLE "scu" SET (fillfactor = 60);
