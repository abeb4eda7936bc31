CREATE TABLE "sandbox_disputes" (
	"id" text PRIMARY KEY NOT NULL,
	"intent_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"reason" text NOT NULL,
	"status" text NOT NULL,
	"next_status" text,
	"next_status_at" timestamp with time zone,
	"body" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sandbox_disputes_intent_id_unique" UNIQUE("intent_id"),
	CONSTRAINT "sandbox_disputes_amount" CHECK ("sandbox_disputes"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "sandbox_refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"intent_id" text NOT NULL,
	"amount" bigint NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"metadata" jsonb NOT NULL,
	"next_status" text,
	"next_status_at" timestamp with time zone,
	"failure_reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sandbox_refunds_amount" CHECK ("sandbox_refunds"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"about" text NOT NULL,
	"order_id" uuid NOT NULL,
	"state" text DEFAULT 'queued' NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_until" timestamp with time zone,
	"error" text,
	"sent_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mails_kind_about" UNIQUE("kind","about"),
	CONSTRAINT "mails_state" CHECK ("mails"."state" in ('queued', 'sent', 'failed', 'not sent'))
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"intent_id" text PRIMARY KEY NOT NULL,
	"order_id" uuid,
	"amount_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"reason" text NOT NULL,
	"restock" boolean DEFAULT false NOT NULL,
	"requested_by" text,
	"state" text DEFAULT 'requested' NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"refund_id" text,
	"error" text,
	"checked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refunds_refund_id_unique" UNIQUE("refund_id"),
	CONSTRAINT "refunds_state" CHECK ("refunds"."state" in ('requested', 'pending', 'succeeded', 'failed')),
	CONSTRAINT "refunds_amount" CHECK ("refunds"."amount_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "admin_acts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "admin_acts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"actor_id" text NOT NULL,
	"act" text NOT NULL,
	"subject" text NOT NULL,
	"detail" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shipments" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"carrier" text NOT NULL,
	"tracking" text NOT NULL,
	"link" text,
	"note" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_state";--> statement-breakpoint
ALTER TABLE "orders" DROP CONSTRAINT "orders_holding";--> statement-breakpoint
ALTER TABLE "tools" DROP CONSTRAINT "tools_stocked";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "shipped_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "refunded_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "dispute" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "refund_failed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "on_sale" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "sandbox_disputes" ADD CONSTRAINT "sandbox_disputes_intent_id_sandbox_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."sandbox_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_refunds" ADD CONSTRAINT "sandbox_refunds_intent_id_sandbox_intents_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."sandbox_intents"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_intent_id_payments_intent_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."payments"("intent_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "admin_acts" ADD CONSTRAINT "admin_acts_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sandbox_disputes_due" ON "sandbox_disputes" USING btree ("next_status_at") WHERE next_status is not null;--> statement-breakpoint
CREATE INDEX "sandbox_refunds_intent" ON "sandbox_refunds" USING btree ("intent_id");--> statement-breakpoint
CREATE INDEX "sandbox_refunds_due" ON "sandbox_refunds" USING btree ("next_status_at") WHERE next_status is not null;--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("next_try_at") WHERE state = 'queued';--> statement-breakpoint
CREATE INDEX "mails_failed" ON "mails" USING btree ("created_at") WHERE state = 'failed';--> statement-breakpoint
CREATE INDEX "mails_age" ON "mails" USING brin ("created_at");--> statement-breakpoint
CREATE INDEX "refunds_order" ON "refunds" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refunds_open" ON "refunds" USING btree ("checked_at" NULLS FIRST) WHERE state in ('requested', 'pending');--> statement-breakpoint
CREATE INDEX "admin_acts_subject" ON "admin_acts" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "orders_status" ON "orders" USING btree ((case when state = 'paid' and shipped_at is not null then 'shipped' else state end),"position") WHERE state <> 'deleted';--> statement-breakpoint
CREATE INDEX "orders_search" ON "orders" USING gin ((to_tsvector('simple', regexp_replace(
  email || ' ' || client || ' ' || product_name || ' ' || address, '[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]+', ' ', 'g')))) WHERE state <> 'deleted' and (state <> 'unpaid' or not holds_stock);--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_shipped" CHECK ("orders"."shipped_at" is null or "orders"."state" in ('paid', 'refunded'));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_refunded" CHECK (("orders"."state" = 'refunded') = ("orders"."refunded_at" is not null));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_dispute" CHECK ("orders"."dispute" in ('open', 'won', 'lost'));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_state" CHECK ("orders"."state" in ('unpaid', 'paid', 'unpriced', 'deleted', 'refunded'));--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_holding" CHECK (not "orders"."holds_stock" or "orders"."state" in ('unpaid', 'paid', 'refunded'));--> statement-breakpoint
ALTER TABLE "tools" ADD CONSTRAINT "tools_stocked" CHECK ("tools"."stocked_quantity" >= 0);