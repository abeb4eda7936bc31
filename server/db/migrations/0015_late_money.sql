-- without transaction
DROP INDEX CONCURRENTLY IF EXISTS "payments_due";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_due" ON "payments" USING btree ("created_at") WHERE outcome = 'refund due' and returned_at is null;
