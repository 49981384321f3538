/**
 * The migrations of the tables and functions, in order: the index of the last one plus 1 is the version of the schema.
 * A released migration never changes; append another one. `{schema}` stands for the quoted schema.
 */
export const MIGRATIONS: readonly string[] = [
  `
CREATE TABLE {schema}.entries (key text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, value bytea NOT NULL);
CREATE TABLE {schema}.journals (name text COLLATE "C" PRIMARY KEY, head bigint NOT NULL);
CREATE TABLE {schema}.records (
  journal text COLLATE "C", position bigint, record bytea NOT NULL, PRIMARY KEY (journal, position)
);
CREATE TABLE {schema}.leases (
  name text COLLATE "C" PRIMARY KEY, holder text, token bigint NOT NULL, expires_at bigint NOT NULL
);
-- The members of each live generation of a set are in a table of their own, so that forgetting them is a DROP TABLE.
CREATE TABLE {schema}.claim_sets (
  name text COLLATE "C" PRIMARY KEY,
  id integer GENERATED ALWAYS AS IDENTITY,
  latest bigint NOT NULL,
  floor bigint NOT NULL,
  generations bigint[] NOT NULL DEFAULT '{}'
);

CREATE FUNCTION {schema}.claim_table(id integer, generation bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT '{schema}.' || quote_ident('claims_' || id || '_' || replace(generation::text, '-', 'n'))
$$;

-- Moves the window of a set, creates the table of its latest generation and drops the forgotten ones.
CREATE FUNCTION {schema}.open_set(set_name text, generation bigint, keep bigint) RETURNS {schema}.claim_sets
LANGUAGE plpgsql AS $$
DECLARE
  found {schema}.claim_sets;
  forgotten bigint;
BEGIN
  INSERT INTO {schema}.claim_sets AS sets (name, latest, floor) VALUES (set_name, generation, generation - keep + 1)
  ON CONFLICT (name) DO UPDATE SET
    latest = greatest(sets.latest, excluded.latest),
    floor = greatest(sets.floor, greatest(sets.latest, excluded.latest) - keep + 1)
  RETURNING * INTO found;
  FOREACH forgotten IN ARRAY found.generations LOOP
    IF forgotten < found.floor THEN
      EXECUTE 'DROP TABLE ' || {schema}.claim_table(found.id, forgotten);
      found.generations := array_remove(found.generations, forgotten);
    END IF;
  END LOOP;
  IF NOT found.latest = ANY (found.generations) THEN
    EXECUTE format('CREATE TABLE %s (member bytea PRIMARY KEY)', {schema}.claim_table(found.id, found.latest));
    found.generations := found.generations || found.latest;
  END IF;
  UPDATE {schema}.claim_sets SET generations = found.generations WHERE name = set_name;
  RETURN found;
END $$;

-- Claims members. Returns the ordinals of those that were claimed before.
CREATE FUNCTION {schema}.claim(set_name text, generation bigint, keep bigint, members bytea[]) RETURNS bigint[]
LANGUAGE plpgsql AS $$
DECLARE
  opened {schema}.claim_sets := {schema}.open_set(set_name, generation, keep);
  earlier bigint;
  found bigint[];
  already bigint[] := '{}';
BEGIN
  FOREACH earlier IN ARRAY opened.generations LOOP
    CONTINUE WHEN earlier = opened.latest;
    EXECUTE format(
      'SELECT array_agg(at) FROM (SELECT member, min(at) AS at FROM unnest($1) WITH ORDINALITY AS m (member, at)
       GROUP BY member) AS m JOIN %s USING (member)', {schema}.claim_table(opened.id, earlier)
    ) INTO found USING members;
    already := already || coalesce(found, '{}');
  END LOOP;
  EXECUTE format(
    'WITH m AS (SELECT member, min(at) AS at FROM unnest($1) WITH ORDINALITY AS m (member, at) GROUP BY member),
     made AS (INSERT INTO %s SELECT member FROM m ORDER BY member ON CONFLICT DO NOTHING RETURNING member)
     SELECT array_agg(at) FROM m WHERE member NOT IN (SELECT member FROM made)',
    {schema}.claim_table(opened.id, opened.latest)
  ) INTO found USING members;
  RETURN ARRAY(SELECT DISTINCT at FROM unnest(already || coalesce(found, '{}')) AS at ORDER BY at);
END $$;

-- Puts members of a backup into the table of their generation.
CREATE FUNCTION {schema}.load_claims(set_name text, generation bigint, members bytea[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  found {schema}.claim_sets;
BEGIN
  SELECT * INTO found FROM {schema}.claim_sets WHERE name = set_name;
  IF NOT generation = ANY (found.generations) THEN
    EXECUTE format('CREATE TABLE %s (member bytea PRIMARY KEY)', {schema}.claim_table(found.id, generation));
    UPDATE {schema}.claim_sets SET generations = found.generations || generation WHERE name = set_name;
  END IF;
  EXECUTE format('INSERT INTO %s SELECT unnest($1)', {schema}.claim_table(found.id, generation)) USING members;
END $$;

-- Takes the locks of everything that a transaction touches, in one order. Statements after it see all earlier commits.
CREATE FUNCTION {schema}.take_locks(space integer, names integer[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name integer;
BEGIN
  IF names IS NULL THEN
    PERFORM pg_advisory_xact_lock(space::bigint);
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(space::bigint);
  FOREACH name IN ARRAY names LOOP
    PERFORM pg_advisory_xact_lock(space, name);
  END LOOP;
END $$;

-- Performs all operations or none. A failed condition undoes the others and is an answer, not an error.
CREATE FUNCTION {schema}.batch(space integer, names integer[], operations jsonb, payload bytea[]) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  operation jsonb;
  at integer := -1;
  current bigint;
  result bigint;
  results bigint[] := '{}';
  failed integer[] := '{}';
  claimed jsonb := '{}';
  already bigint[];
BEGIN
  PERFORM {schema}.take_locks(space, names);
  BEGIN
    FOR operation IN SELECT jsonb_array_elements(operations) LOOP
      at := at + 1;
      result := 0;
      CASE operation->>'type'
        WHEN 'put' THEN
          current := coalesce((SELECT version FROM {schema}.entries WHERE key = operation->>'key'), 0);
          IF (operation->>'ifVersion')::bigint <> current OR (operation->>'ifAbsent' = 'fail' AND current > 0) THEN
            failed := failed || at;
          ELSIF operation->>'ifAbsent' = 'skip' AND current > 0 THEN
            NULL;
          ELSE
            result := current + 1;
            INSERT INTO {schema}.entries
            VALUES (operation->>'key', result, payload[(operation->>'value')::integer])
            ON CONFLICT (key) DO UPDATE SET version = excluded.version, value = excluded.value;
          END IF;
        WHEN 'delete' THEN
          current := coalesce((SELECT version FROM {schema}.entries WHERE key = operation->>'key'), 0);
          IF (operation->>'ifVersion')::bigint <> current THEN
            failed := failed || at;
          ELSE
            DELETE FROM {schema}.entries WHERE key = operation->>'key';
          END IF;
        WHEN 'append' THEN
          current := coalesce((SELECT head FROM {schema}.journals WHERE name = operation->>'journal'), 0);
          INSERT INTO {schema}.records
          SELECT operation->>'journal', current + n, record
          FROM unnest(payload[(operation->>'from')::integer:(operation->>'to')::integer]) WITH ORDINALITY AS r (record, n);
          result := current + (operation->>'to')::integer - (operation->>'from')::integer + 1;
          INSERT INTO {schema}.journals VALUES (operation->>'journal', result)
          ON CONFLICT (name) DO UPDATE SET head = excluded.head;
        WHEN 'rewrite' THEN
          UPDATE {schema}.records SET record = payload[(operation->>'value')::integer]
          WHERE journal = operation->>'journal' AND position = (operation->>'position')::bigint;
          IF NOT FOUND THEN failed := failed || at; END IF;
        WHEN 'trim' THEN
          DELETE FROM {schema}.records
          WHERE journal = operation->>'journal' AND position <= (operation->>'through')::bigint;
        WHEN 'claim' THEN
          IF (operation->>'to')::integer >= (operation->>'from')::integer THEN
            already := {schema}.claim(
              operation->>'set', (operation->>'generation')::bigint, (operation->>'keep')::bigint,
              payload[(operation->>'from')::integer:(operation->>'to')::integer]
            );
            IF cardinality(already) > 0 THEN
              failed := failed || at;
              claimed := claimed || jsonb_build_object(at, already);
            END IF;
          END IF;
        WHEN 'fence' THEN
          PERFORM FROM {schema}.leases WHERE name = operation->>'lease' AND holder IS NOT NULL
            AND token = (operation->>'token')::bigint AND token > 0;
          IF NOT FOUND THEN failed := failed || at; END IF;
      END CASE;
      results := results || result;
    END LOOP;
    IF cardinality(failed) > 0 THEN RAISE EXCEPTION USING ERRCODE = 'AS001'; END IF;
  EXCEPTION WHEN SQLSTATE 'AS001' THEN
    RETURN jsonb_build_object('failed', failed, 'claimed', claimed);
  END;
  RETURN jsonb_build_object('results', results);
END $$;

CREATE FUNCTION {schema}.increment(space integer, name integer, counter text, by bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  entry {schema}.entries;
  total numeric;
BEGIN
  PERFORM {schema}.take_locks(space, ARRAY[name]);
  SELECT * INTO entry FROM {schema}.entries WHERE key = counter;
  IF entry.value IS NOT NULL AND encode(entry.value, 'escape') !~ '^-?[0-9]{1,16}$' THEN
    RAISE EXCEPTION USING ERRCODE = 'AS002';
  END IF;
  total := coalesce(encode(entry.value, 'escape'), '0')::numeric + by;
  IF abs(total) > 9007199254740991 THEN RAISE EXCEPTION USING ERRCODE = 'AS003'; END IF;
  INSERT INTO {schema}.entries VALUES (counter, coalesce(entry.version, 0) + 1, convert_to(total::text, 'UTF8'))
  ON CONFLICT (key) DO UPDATE SET version = excluded.version, value = excluded.value;
  RETURN total;
END $$;

-- Takes or renews a lease by the clock of the database. Returns no row while another holder has it.
CREATE FUNCTION {schema}.lease(space integer, lock_name integer, lease_name text, lease_holder text, ttl bigint)
RETURNS TABLE (lease_token bigint, lease_expires_at bigint) LANGUAGE plpgsql AS $$
DECLARE
  held {schema}.leases;
  now_ms bigint;
BEGIN
  PERFORM {schema}.take_locks(space, ARRAY[lock_name]);
  now_ms := floor(extract(epoch FROM clock_timestamp()) * 1000);
  SELECT * INTO held FROM {schema}.leases WHERE name = lease_name;
  IF held.holder IS NOT NULL AND held.expires_at > now_ms THEN
    IF held.holder <> lease_holder THEN RETURN; END IF;
  ELSE
    held.token := coalesce(held.token, 0) + 1;
  END IF;
  INSERT INTO {schema}.leases VALUES (lease_name, lease_holder, held.token, now_ms + ttl)
  ON CONFLICT (name) DO UPDATE
  SET holder = excluded.holder, token = excluded.token, expires_at = excluded.expires_at;
  RETURN QUERY SELECT held.token, now_ms + ttl;
END $$;

CREATE FUNCTION {schema}.release(space integer, lock_name integer, lease_name text, lease_holder text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM {schema}.take_locks(space, ARRAY[lock_name]);
  UPDATE {schema}.leases SET holder = NULL WHERE name = lease_name AND holder = lease_holder;
END $$;
`,
  `
-- Members that are there already stay, so that an interrupted copy can go on.
CREATE OR REPLACE FUNCTION {schema}.load_claims(set_name text, generation bigint, members bytea[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  found {schema}.claim_sets;
BEGIN
  SELECT * INTO found FROM {schema}.claim_sets WHERE name = set_name;
  IF NOT generation = ANY (found.generations) THEN
    EXECUTE format('CREATE TABLE %s (member bytea PRIMARY KEY)', {schema}.claim_table(found.id, generation));
    UPDATE {schema}.claim_sets SET generations = found.generations || generation WHERE name = set_name;
  END IF;
  EXECUTE format('INSERT INTO %s SELECT unnest($1) ON CONFLICT DO NOTHING', {schema}.claim_table(found.id, generation))
  USING members;
END $$;
`,
];
