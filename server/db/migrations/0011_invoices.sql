-- without transaction
CREATE TABLE IF NOT EXISTS "paper_numbers" (
	"series" text PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
-- The sweep numbers earlier payments, because the previous version records more of them during a deployment.
ALTER TABLE "payments" ADD COLUMN IF NOT EXISTS "invoice" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN IF NOT EXISTS "seller" text;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payments_invoice";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "payments_invoice" ON "payments" USING btree ("invoice");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payments_unnumbered";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_unnumbered" ON "payments" USING btree ("created_at") WHERE outcome = 'paid' and invoice is null;
