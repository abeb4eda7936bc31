-- Only versions before the previous one use these.
DROP VIEW IF EXISTS "refunds_due";--> statement-breakpoint
DROP TABLE "order_counts";--> statement-breakpoint
ALTER TABLE "locks" DROP COLUMN "owner";--> statement-breakpoint
ALTER TABLE "locks" DROP COLUMN "leased_until";--> statement-breakpoint
DROP INDEX "orders_slot";--> statement-breakpoint
DROP INDEX "orders_unpriced_slot";--> statement-breakpoint
DROP INDEX "orders_hold_ended";
