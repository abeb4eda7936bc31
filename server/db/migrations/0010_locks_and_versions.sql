CREATE TABLE IF NOT EXISTS "locks" (
	"name" text PRIMARY KEY NOT NULL,
	"owner" uuid,
	"leased_until" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "sandbox_intents" ADD COLUMN "version" integer DEFAULT 0 NOT NULL;