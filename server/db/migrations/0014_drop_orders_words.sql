-- without transaction
DROP INDEX CONCURRENTLY IF EXISTS "orders_words";
