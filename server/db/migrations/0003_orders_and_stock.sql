CREATE TABLE "order_counts" (
	"shard" integer PRIMARY KEY NOT NULL,
	"n" bigint NOT NULL
);
--> statement-breakpoint
DROP INDEX "orders_owner_unpaid";--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "slot" integer;--> statement-breakpoint
UPDATE "orders" o SET "slot" = s.n FROM (SELECT "id", row_number() OVER (PARTITION BY "owner_id" ORDER BY "position") AS n FROM "orders" WHERE state = 'unpaid') s WHERE s."id" = o."id";--> statement-breakpoint
CREATE UNIQUE INDEX "orders_slot" ON "orders" USING btree ("owner_id","slot") WHERE state = 'unpaid';--> statement-breakpoint
INSERT INTO "order_counts" SELECT s, CASE WHEN s = 0 THEN (SELECT count(*) FROM "orders" WHERE state <> 'deleted') ELSE 0 END FROM generate_series(0, 31) s;
