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
CREATE TABLE "ended_sessions" (
	"user_id" text NOT NULL,
	"auth_time" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone NOT NULL,
	CONSTRAINT "ended_sessions_user_id_auth_time_pk" PRIMARY KEY("user_id","auth_time")
);
--> statement-breakpoint
ALTER TABLE "identity_refresh_tokens" ADD COLUMN "last_used_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD COLUMN "refused_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "hold_last_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "hold_ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "priced_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "signed_in_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "signed_out_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "blocked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payment_reversals" ADD CONSTRAINT "payment_reversals_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ended_sessions" ADD CONSTRAINT "ended_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_reversals_order" ON "payment_reversals" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "payment_reversals_intent" ON "payment_reversals" USING btree ("intent_id");--> statement-breakpoint
CREATE INDEX "ended_sessions_age" ON "ended_sessions" USING btree ("ended_at");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_unpriced_slot" ON "orders" USING btree ("owner_id","slot") WHERE state = 'unpriced';--> statement-breakpoint
CREATE INDEX "orders_hold_ended" ON "orders" USING btree ("owner_id","tool_id","hold_ended_at") WHERE hold_ended_at is not null;--> statement-breakpoint
UPDATE "orders" SET "priced_at" = "created_at", "hold_last_at" = "hold_until" + interval '30 minutes' WHERE state = 'unpaid';
