CREATE TABLE "identity_codes" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"request_type" text NOT NULL,
	"local_id" text NOT NULL,
	"email" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "mails" ALTER COLUMN "order_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "recipient" text;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "link" text;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "link_expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "identity_codes" ADD CONSTRAINT "identity_codes_local_id_identity_accounts_local_id_fk" FOREIGN KEY ("local_id") REFERENCES "public"."identity_accounts"("local_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "identity_codes_account" ON "identity_codes" USING btree ("local_id");--> statement-breakpoint
CREATE INDEX "identity_codes_expiry" ON "identity_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "mails_links" ON "mails" USING btree ("link_expires_at") WHERE link is not null;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_subject" CHECK (num_nonnulls("mails"."order_id", "mails"."recipient") = 1);--> statement-breakpoint
-- Until now, an email counted as verified only in the demo, whose stand-in for Google verifies any email.
UPDATE "identity_accounts" SET "email_verified" = false WHERE NOT EXISTS (SELECT FROM "tools" WHERE "demo");
