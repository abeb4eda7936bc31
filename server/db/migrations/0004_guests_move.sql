-- The tables of the embedded services move to the services' own schemas, and empty ones are dropped.
-- The previous version, which may still run, uses the views. A later migration must drop them.
DO $$
DECLARE
	service record;
	old_names text[];
	is_used boolean;
	old_name text;
BEGIN
	FOR service IN VALUES
		('embedded_identity', 'identity_', '{accounts,codes,federated,keys,refresh_tokens}'::text[]),
		('embedded_stripe', 'sandbox_', '{disputes,events,idempotency,intents,payment_methods,refunds}')
	LOOP
		SELECT array_agg(format('public.%I', service.column2 || name)) INTO old_names
		FROM unnest(service.column3) AS name WHERE to_regclass('public.' || service.column2 || name) IS NOT NULL;
		CONTINUE WHEN old_names IS NULL;
		EXECUTE 'LOCK TABLE ' || array_to_string(old_names, ', ');
		EXECUTE 'SELECT ' || (SELECT string_agg(format('EXISTS (TABLE %s)', name), ' OR ') FROM unnest(old_names) AS name)
			INTO is_used;
		IF NOT is_used THEN
			EXECUTE 'DROP TABLE ' || array_to_string(old_names, ', ');
			CONTINUE;
		END IF;
		EXECUTE format('CREATE SCHEMA %I', service.column1);
		FOREACH old_name IN ARRAY service.column3 LOOP
			EXECUTE format('ALTER TABLE public.%I SET SCHEMA %I', service.column2 || old_name, service.column1);
			EXECUTE format('ALTER TABLE %I.%I RENAME TO %I', service.column1, service.column2 || old_name, old_name);
			EXECUTE format('CREATE VIEW public.%I AS TABLE %I.%I', service.column2 || old_name, service.column1, old_name);
		END LOOP;
	END LOOP;
END $$;
