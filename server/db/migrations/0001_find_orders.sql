-- without transaction
DROP INDEX CONCURRENTLY IF EXISTS "orders_open";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_open" ON "orders" USING btree ("owner_id") WHERE state in ('unpaid', 'unpriced');--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "orders_email";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_email" ON "orders" USING btree ("email","position") WHERE state <> 'deleted';
