DROP INDEX "payment_attempts_open";--> statement-breakpoint
ALTER TABLE "payment_attempts" ADD COLUMN "checked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refunds_due" ADD COLUMN "returned_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "payment_attempts_open" ON "payment_attempts" USING btree ("checked_at" NULLS FIRST) WHERE state = 'open';