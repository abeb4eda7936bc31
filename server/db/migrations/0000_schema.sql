CREATE TABLE "mails" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"about" text NOT NULL,
	"order_id" uuid,
	"recipient" text,
	"link" text,
	"link_expires_at" timestamp with time zone,
	"state" text DEFAULT 'queued' NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lease_until" timestamp with time zone,
	"error" text,
	"sent_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mails_kind_about" UNIQUE("kind","about"),
	CONSTRAINT "mails_state" CHECK ("mails"."state" in ('queued', 'sent', 'failed', 'not sent')),
	CONSTRAINT "mails_subject" CHECK (num_nonnulls("mails"."order_id", "mails"."recipient") = 1)
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
CREATE TABLE "ended_holds" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ended_holds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" text NOT NULL,
	"tool_id" uuid NOT NULL,
	"held_seconds" integer NOT NULL,
	"ended_at" timestamp with time zone NOT NULL,
	CONSTRAINT "ended_holds_seconds" CHECK ("ended_holds"."held_seconds" between 1 and 900)
);
--> statement-breakpoint
CREATE TABLE "order_counts" (
	"shard" integer PRIMARY KEY NOT NULL,
	"n" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "orders_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" text NOT NULL,
	"email" text NOT NULL,
	"client" text NOT NULL,
	"tool_id" uuid NOT NULL,
	"product_name" text NOT NULL,
	"unit_price" integer,
	"quantity" integer NOT NULL,
	"address" text NOT NULL,
	"phone" text NOT NULL,
	"state" text NOT NULL,
	"holds_stock" boolean NOT NULL,
	"hold_started_at" timestamp with time zone,
	"hold_until" timestamp with time zone,
	"hold_last_at" timestamp with time zone,
	"hold_ended_at" timestamp with time zone,
	"priced_at" timestamp with time zone,
	"offered" boolean DEFAULT false NOT NULL,
	"slot" integer,
	"deleting_until" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"shipped_at" timestamp with time zone,
	"refunded_at" timestamp with time zone,
	"dispute" text,
	"refund_failed" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "orders_state" CHECK ("orders"."state" in ('unpaid', 'paid', 'unpriced', 'deleted', 'refunded')),
	CONSTRAINT "orders_quantity" CHECK ("orders"."quantity" between 1 and 1000000),
	CONSTRAINT "orders_price" CHECK ("orders"."unit_price" between 1 and 1000000),
	CONSTRAINT "orders_unpriced" CHECK ("orders"."state" = 'deleted' or ("orders"."state" = 'unpriced') = ("orders"."unit_price" is null)),
	CONSTRAINT "orders_paid_holds" CHECK ("orders"."state" <> 'paid' or "orders"."holds_stock"),
	CONSTRAINT "orders_holding" CHECK (not "orders"."holds_stock" or "orders"."state" in ('unpaid', 'paid', 'refunded')),
	CONSTRAINT "orders_hold_ends" CHECK (("orders"."state" = 'unpaid' and "orders"."holds_stock") = ("orders"."hold_until" is not null)),
	CONSTRAINT "orders_deleted" CHECK (("orders"."state" = 'deleted') = ("orders"."deleted_at" is not null)),
	CONSTRAINT "orders_shipped" CHECK ("orders"."shipped_at" is null or "orders"."state" in ('paid', 'refunded')),
	CONSTRAINT "orders_refunded" CHECK (("orders"."state" = 'refunded') = ("orders"."refunded_at" is not null)),
	CONSTRAINT "orders_dispute" CHECK ("orders"."dispute" in ('open', 'won', 'lost'))
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
CREATE TABLE "payment_attempts" (
	"order_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"idempotency_key" text NOT NULL,
	"intent_id" text,
	"amount_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"lease_until" timestamp with time zone NOT NULL,
	"refused_until" timestamp with time zone,
	"checked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_attempts_order_id_n_pk" PRIMARY KEY("order_id","n"),
	CONSTRAINT "payment_attempts_idempotency_key_unique" UNIQUE("idempotency_key"),
	CONSTRAINT "payment_attempts_intent_id_unique" UNIQUE("intent_id"),
	CONSTRAINT "payment_attempts_state" CHECK ("payment_attempts"."state" in ('open', 'succeeded', 'canceled')),
	CONSTRAINT "payment_attempts_amount" CHECK ("payment_attempts"."amount_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "payment_reversals" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"intent_id" text NOT NULL,
	"order_id" uuid,
	"amount_cents" bigint NOT NULL,
	"status" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_reversals_kind" CHECK ("payment_reversals"."kind" in ('refund', 'dispute')),
	CONSTRAINT "payment_reversals_amount" CHECK ("payment_reversals"."amount_cents" > 0)
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"intent_id" text PRIMARY KEY NOT NULL,
	"order_id" uuid,
	"outcome" text DEFAULT 'paid' NOT NULL,
	"amount_cents" bigint NOT NULL,
	"currency" text NOT NULL,
	"card_brand" text,
	"card_last4" text,
	"reason" text,
	"returned_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payments_outcome" CHECK ("payments"."outcome" in ('paid', 'refund due')),
	CONSTRAINT "payments_amount" CHECK ("payments"."outcome" <> 'paid' or "payments"."amount_cents" > 0),
	CONSTRAINT "payments_paid_order" CHECK ("payments"."outcome" <> 'paid' or "payments"."order_id" is not null),
	CONSTRAINT "payments_reason" CHECK ("payments"."outcome" = 'paid' or "payments"."reason" is not null)
);
--> statement-breakpoint
CREATE TABLE "provider_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
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
CREATE TABLE "ended_sessions" (
	"user_id" text NOT NULL,
	"auth_time" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone NOT NULL,
	CONSTRAINT "ended_sessions_user_id_auth_time_pk" PRIMARY KEY("user_id","auth_time")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"user_id" text NOT NULL,
	"call" text NOT NULL,
	"key" text NOT NULL,
	"body_hash" text NOT NULL,
	"answer" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_user_id_call_key_pk" PRIMARY KEY("user_id","call","key")
);
--> statement-breakpoint
CREATE TABLE "locks" (
	"name" text PRIMARY KEY NOT NULL,
	"owner" uuid,
	"leased_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "profiles" (
	"user_id" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"education" text DEFAULT '' NOT NULL,
	"phone" text NOT NULL,
	"linked_in" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "promotions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "promotions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"actor_id" text,
	"target_id" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"bucket" text PRIMARY KEY NOT NULL,
	"hits" integer NOT NULL,
	"resets_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "reviews_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"author_id" text,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"ratings" integer NOT NULL,
	"img" text NOT NULL,
	"demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reviews_ratings" CHECK ("reviews"."ratings" between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tools" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tools_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"price" integer NOT NULL,
	"minimum_order_quantity" integer NOT NULL,
	"available_quantity" integer NOT NULL,
	"stocked_quantity" integer NOT NULL,
	"description" text NOT NULL,
	"img" text NOT NULL,
	"on_sale" boolean DEFAULT true NOT NULL,
	"demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tools_price" CHECK ("tools"."price" between 1 and 1000000),
	CONSTRAINT "tools_minimum" CHECK ("tools"."minimum_order_quantity" between 1 and 1000000),
	CONSTRAINT "tools_available" CHECK ("tools"."available_quantity" between 0 and "tools"."stocked_quantity"),
	CONSTRAINT "tools_stocked" CHECK ("tools"."stocked_quantity" >= 0)
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text,
	"email_verified" boolean DEFAULT false NOT NULL,
	"display_name" text DEFAULT '' NOT NULL,
	"role" text DEFAULT 'member' NOT NULL,
	"sessions_valid_from" timestamp with time zone DEFAULT 'epoch' NOT NULL,
	"signed_in_at" timestamp with time zone DEFAULT now() NOT NULL,
	"signed_out_at" timestamp with time zone,
	"blocked_at" timestamp with time zone,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "users_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email"),
	CONSTRAINT "users_role" CHECK ("users"."role" in ('member', 'admin')),
	CONSTRAINT "users_admin_has_email" CHECK ("users"."role" = 'member' or "users"."email" is not null)
);
--> statement-breakpoint
ALTER TABLE "admin_acts" ADD CONSTRAINT "admin_acts_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD CONSTRAINT "payment_attempts_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_reversals" ADD CONSTRAINT "payment_reversals_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_intent_id_payments_intent_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."payments"("intent_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ended_sessions" ADD CONSTRAINT "ended_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profiles" ADD CONSTRAINT "profiles_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "promotions" ADD CONSTRAINT "promotions_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "promotions" ADD CONSTRAINT "promotions_target_id_users_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("next_try_at") WHERE state = 'queued';--> statement-breakpoint
CREATE INDEX "mails_failed" ON "mails" USING btree ("created_at") WHERE state = 'failed';--> statement-breakpoint
CREATE INDEX "mails_links" ON "mails" USING btree ("link_expires_at") WHERE link is not null;--> statement-breakpoint
CREATE INDEX "mails_age" ON "mails" USING brin ("created_at");--> statement-breakpoint
CREATE INDEX "admin_acts_subject" ON "admin_acts" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "ended_holds_owner" ON "ended_holds" USING btree ("owner_id","tool_id","ended_at");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_position" ON "orders" USING btree ("position");--> statement-breakpoint
CREATE INDEX "orders_owner" ON "orders" USING btree ("owner_id","position" DESC NULLS LAST) WHERE state <> 'deleted';--> statement-breakpoint
CREATE UNIQUE INDEX "orders_slot" ON "orders" USING btree ("owner_id","slot") WHERE state = 'unpaid';--> statement-breakpoint
CREATE UNIQUE INDEX "orders_unpriced_slot" ON "orders" USING btree ("owner_id","slot") WHERE state = 'unpriced';--> statement-breakpoint
CREATE INDEX "orders_hold_ended" ON "orders" USING btree ("owner_id","tool_id","hold_ended_at") WHERE hold_ended_at is not null;--> statement-breakpoint
CREATE INDEX "orders_hold" ON "orders" USING btree ("hold_until") WHERE state = 'unpaid' and holds_stock;--> statement-breakpoint
CREATE INDEX "orders_tool" ON "orders" USING btree ("tool_id") WHERE holds_stock;--> statement-breakpoint
CREATE INDEX "orders_status" ON "orders" USING btree ((case when state = 'paid' and shipped_at is not null then 'shipped' else state end),"position") WHERE state <> 'deleted';--> statement-breakpoint
CREATE INDEX "orders_search" ON "orders" USING gin ((to_tsvector('simple', regexp_replace(
  email || ' ' || client || ' ' || product_name || ' ' || address, '[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]+', ' ', 'g')))) WHERE state <> 'deleted' and (state <> 'unpaid' or not holds_stock);--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_one_open" ON "payment_attempts" USING btree ("order_id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "payment_attempts_open" ON "payment_attempts" USING btree ("checked_at" NULLS FIRST) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "payment_reversals_order" ON "payment_reversals" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "payment_reversals_intent" ON "payment_reversals" USING btree ("intent_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_paid" ON "payments" USING btree ("order_id") WHERE outcome = 'paid';--> statement-breakpoint
CREATE INDEX "refunds_order" ON "refunds" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refunds_open" ON "refunds" USING btree ("checked_at" NULLS FIRST) WHERE state in ('requested', 'pending');--> statement-breakpoint
CREATE INDEX "ended_sessions_age" ON "ended_sessions" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "rate_limits_end" ON "rate_limits" USING btree ("resets_at");--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_position" ON "reviews" USING btree ("position");--> statement-breakpoint
CREATE UNIQUE INDEX "tools_position" ON "tools" USING btree ("position");--> statement-breakpoint
CREATE INDEX "tools_name" ON "tools" USING btree ("name");--> statement-breakpoint
CREATE INDEX "users_position" ON "users" USING btree ("position");