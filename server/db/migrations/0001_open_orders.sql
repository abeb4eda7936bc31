-- without transaction
DROP INDEX CONCURRENTLY IF EXISTS "orders_open";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_open" ON "orders" USING btree ("owner_id") WHERE state in ('unpaid', 'unpriced');
