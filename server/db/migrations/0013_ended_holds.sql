CREATE TABLE "ended_holds" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ended_holds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" text NOT NULL,
	"tool_id" uuid NOT NULL,
	"held_seconds" integer NOT NULL,
	"ended_at" timestamp with time zone NOT NULL,
	CONSTRAINT "ended_holds_seconds" CHECK ("ended_holds"."held_seconds" between 1 and 900)
);
--> statement-breakpoint
CREATE INDEX "ended_holds_owner" ON "ended_holds" USING btree ("owner_id","tool_id","ended_at");--> statement-breakpoint
INSERT INTO "ended_holds" ("owner_id", "tool_id", "held_seconds", "ended_at") SELECT "owner_id", "tool_id", 900, "hold_ended_at" FROM "orders" WHERE "hold_ended_at" > now() - interval '1 day';--> statement-breakpoint
-- The table of orders is locked only from here on. The previous version may still run, and stores no slot for an offered price.
ALTER TABLE "orders" ADD COLUMN "hold_started_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "offered" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "orders" SET "offered" = true WHERE state = 'unpaid' AND "slot" IS NULL;
