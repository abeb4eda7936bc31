ALTER TABLE "payments" DROP CONSTRAINT "payments_order_id_unique";--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_amount";--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "order_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "outcome" text DEFAULT 'paid' NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "returned_at" timestamp with time zone;--> statement-breakpoint
-- An intent in both tables stays the payment of its order. It keeps the reason, so that the doctor still reports it.
INSERT INTO "payments" ("intent_id", "order_id", "outcome", "amount_cents", "currency", "reason", "returned_at", "created_at")
SELECT "intent_id", "order_id", 'refund due', "amount_cents", "currency", "reason", "returned_at", "created_at" FROM "refunds_due"
ON CONFLICT ("intent_id") DO UPDATE SET "reason" = excluded."reason", "returned_at" = excluded."returned_at";--> statement-breakpoint
DROP TABLE "refunds_due";--> statement-breakpoint
-- The version before may still run beside this one. It reads and writes refunds due by this view, and inserts payments without an outcome.
CREATE VIEW "refunds_due" AS SELECT "intent_id", "order_id", "amount_cents", "currency", "reason", "returned_at", "created_at", "outcome" FROM "payments" WHERE "outcome" = 'refund due';--> statement-breakpoint
ALTER VIEW "refunds_due" ALTER COLUMN "outcome" SET DEFAULT 'refund due';--> statement-breakpoint
CREATE UNIQUE INDEX "payments_one_paid" ON "payments" USING btree ("order_id") WHERE outcome = 'paid';--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_outcome" CHECK ("payments"."outcome" in ('paid', 'refund due'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_paid_order" CHECK ("payments"."outcome" <> 'paid' or "payments"."order_id" is not null);--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_reason" CHECK ("payments"."outcome" = 'paid' or "payments"."reason" is not null);--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_amount" CHECK ("payments"."outcome" <> 'paid' or "payments"."amount_cents" > 0);
