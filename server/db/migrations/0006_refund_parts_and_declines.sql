CREATE TABLE "declines" (
	"charge_id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"network" text,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refund_parts" (
	"refund_id" text PRIMARY KEY NOT NULL,
	"intent_id" text NOT NULL,
	"amount_cents" bigint NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refund_parts_state" CHECK ("refund_parts"."state" in ('pending', 'succeeded', 'failed')),
	CONSTRAINT "refund_parts_amount" CHECK ("refund_parts"."amount_cents" > 0)
);
--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD COLUMN "network" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "of_original" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "declines" ADD CONSTRAINT "declines_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_parts" ADD CONSTRAINT "refund_parts_intent_id_payments_intent_id_fk" FOREIGN KEY ("intent_id") REFERENCES "public"."payments"("intent_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "declines_user" ON "declines" USING btree ("user_id","at");--> statement-breakpoint
CREATE INDEX "declines_network" ON "declines" USING btree ("network","at");--> statement-breakpoint
CREATE INDEX "refund_parts_intent" ON "refund_parts" USING btree ("intent_id");