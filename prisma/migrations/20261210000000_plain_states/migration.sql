-- The state of a queue and of a signing unit is written anew with every statement, and read from memory: compressing
-- it each time was a tenth of what PostgreSQL did for a German receipt.
ALTER TABLE "queue" SET (toast_tuple_target = 8160);
ALTER TABLE "scu" SET (toast_tuple_target = 8160);
