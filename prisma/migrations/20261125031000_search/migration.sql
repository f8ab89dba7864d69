-- Names are found by their parts; part of PostgreSQL's own extensions.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE "search_name" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "names" TEXT NOT NULL,

    CONSTRAINT "search_name_pkey" PRIMARY KEY ("account_id","id","kind")
);

CREATE INDEX "search_name_names_idx" ON "search_name" USING gin ("names" gin_trgm_ops);

-- By whatever id it has, whoever owns it.
CREATE INDEX "search_name_id_idx" ON "search_name"("id");

INSERT INTO "search_name" ("account_id", "id", "kind", "names")
SELECT "id", "id", 'operator', lower("name") FROM "account"
UNION ALL SELECT "account_id", "id", 'outlet', lower("name") FROM "outlet"
UNION ALL SELECT "account_id", "id", 'cashbox', lower("description") FROM "cash_box"
UNION ALL SELECT "account_id", "id", 'queue', lower("identification" || chr(10) || "description") FROM "queue"
UNION ALL SELECT "account_id", "id", 'scu', lower("description") FROM "scu";

-- The kind, and the columns that have the names.
CREATE FUNCTION note_names() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner uuid; thing uuid; found text := '';
BEGIN
  IF TG_OP = 'DELETE' THEN
    owner := (to_jsonb(OLD) ->> (CASE TG_ARGV[0] WHEN 'operator' THEN 'id' ELSE 'account_id' END))::uuid;
    DELETE FROM search_name WHERE account_id = owner AND id = OLD.id AND kind = TG_ARGV[0];
    RETURN NULL;
  END IF;
  thing := NEW.id;
  owner := (to_jsonb(NEW) ->> (CASE TG_ARGV[0] WHEN 'operator' THEN 'id' ELSE 'account_id' END))::uuid;
  FOR at IN 1 .. TG_NARGS - 1 LOOP
    found := found || CASE WHEN at = 1 THEN '' ELSE chr(10) END || (to_jsonb(NEW) ->> TG_ARGV[at]);
  END LOOP;
  INSERT INTO search_name (account_id, id, kind, names) VALUES (owner, thing, TG_ARGV[0], lower(found))
  ON CONFLICT (account_id, id, kind) DO UPDATE SET names = excluded.names
    WHERE search_name.names <> excluded.names;
  RETURN NULL;
END $$;

CREATE TRIGGER account_names AFTER INSERT OR DELETE OR UPDATE OF name ON account
FOR EACH ROW EXECUTE FUNCTION note_names('operator', 'name');
CREATE TRIGGER outlet_names AFTER INSERT OR DELETE OR UPDATE OF name ON outlet
FOR EACH ROW EXECUTE FUNCTION note_names('outlet', 'name');
CREATE TRIGGER cash_box_names AFTER INSERT OR DELETE OR UPDATE OF description ON cash_box
FOR EACH ROW EXECUTE FUNCTION note_names('cashbox', 'description');
CREATE TRIGGER queue_names AFTER INSERT OR DELETE OR UPDATE OF identification, description ON queue
FOR EACH ROW EXECUTE FUNCTION note_names('queue', 'identification', 'description');
CREATE TRIGGER scu_names AFTER INSERT OR DELETE OR UPDATE OF description ON scu
FOR EACH ROW EXECUTE FUNCTION note_names('scu', 'description');

-- Serial numbers are found from their beginning on.
CREATE INDEX "unit_fact_serial_start_idx" ON "unit_fact"(lower("serial") text_pattern_ops) WHERE "serial" <> '';
