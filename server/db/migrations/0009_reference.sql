-- without transaction
ALTER TABLE "orders" ADD COLUMN IF NOT EXISTS "reference" text DEFAULT '' NOT NULL;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "orders_search";--> statement-breakpoint
-- The previous version searches by "orders_words". A later migration drops it.
DROP INDEX CONCURRENTLY IF EXISTS "orders_find";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_find" ON "orders" USING gin ((to_tsvector('simple', regexp_replace(regexp_replace(
  normalize(email || ' ' || client || ' ' || product_name || ' ' || address || ' ' || reference, NFKD), '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+', '', 'g'),
  '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u2190-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020]+', ' ', 'g')))) WHERE state <> 'deleted' and (state <> 'unpaid' or not holds_stock);
