CREATE TABLE IF NOT EXISTS "embedded_stripe"."payment_methods" (
	"id" text CONSTRAINT "sandbox_payment_methods_pkey" PRIMARY KEY NOT NULL,
	"outcome" text NOT NULL,
	"body" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "embedded_stripe"."intents" (
	"id" text CONSTRAINT "sandbox_intents_pkey" PRIMARY KEY NOT NULL,
	"client_secret" text NOT NULL,
	"status" text NOT NULL,
	"amount" bigint NOT NULL,
	"amount_received" bigint DEFAULT 0 NOT NULL,
	"currency" text NOT NULL,
	"payment_method_id" text,
	"charge_id" text,
	"metadata" jsonb NOT NULL,
	"body" jsonb NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sandbox_intents_charge_id_unique" UNIQUE("charge_id"),
	CONSTRAINT "sandbox_intents_amount" CHECK ("amount" > 0),
	CONSTRAINT "sandbox_intents_charged" CHECK (("status" = 'succeeded') = ("amount_received" = "amount")),
	CONSTRAINT "sandbox_intents_payment_method_id_sandbox_payment_methods_id_fk" FOREIGN KEY ("payment_method_id") REFERENCES "embedded_stripe"."payment_methods"("id")
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "embedded_stripe"."disputes" (
	"id" text CONSTRAINT "sandbox_disputes_pkey" PRIMARY KEY NOT NULL,
	"intent_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"reason" text NOT NULL,
	"status" text NOT NULL,
	"next_status" text,
	"next_status_at" timestamp with time zone,
	"body" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sandbox_disputes_intent_id_unique" UNIQUE("intent_id"),
	CONSTRAINT "sandbox_disputes_amount" CHECK ("amount" > 0),
	CONSTRAINT "sandbox_disputes_intent_id_sandbox_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "embedded_stripe"."intents"("id")
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "embedded_stripe"."events" (
	"id" text CONSTRAINT "sandbox_events_pkey" PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"body" jsonb NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"delivered_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "embedded_stripe"."idempotency" (
	"key" text CONSTRAINT "sandbox_idempotency_pkey" PRIMARY KEY NOT NULL,
	"request_hash" text NOT NULL,
	"status" integer NOT NULL,
	"body" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "embedded_stripe"."refunds" (
	"id" text CONSTRAINT "sandbox_refunds_pkey" PRIMARY KEY NOT NULL,
	"intent_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"metadata" jsonb NOT NULL,
	"next_status" text,
	"next_status_at" timestamp with time zone,
	"failure_reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sandbox_refunds_amount" CHECK ("amount" > 0),
	CONSTRAINT "sandbox_refunds_intent_id_sandbox_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "embedded_stripe"."intents"("id")
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sandbox_disputes_due" ON "embedded_stripe"."disputes" USING btree ("next_status_at") WHERE next_status is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sandbox_events_due" ON "embedded_stripe"."events" USING btree ("next_attempt_at") WHERE delivered_at is null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sandbox_intents_age" ON "embedded_stripe"."intents" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS "sandbox_intents_method" ON "embedded_stripe"."intents" USING btree ("payment_method_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sandbox_refunds_intent" ON "embedded_stripe"."refunds" USING btree ("intent_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sandbox_refunds_due" ON "embedded_stripe"."refunds" USING btree ("next_status_at") WHERE next_status is not null;
