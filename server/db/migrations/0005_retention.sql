-- without transaction
DROP INDEX CONCURRENTLY IF EXISTS "orders_held";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_held" ON "orders" USING btree ("tool_id") WHERE state = 'unpaid' and holds_stock;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "orders_tool";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "orders_deleted";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_deleted" ON "orders" USING btree ("deleted_at") WHERE state = 'deleted';--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payments_order";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_order" ON "payments" USING btree ("order_id");
