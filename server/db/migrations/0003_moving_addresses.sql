-- The previous version marked these orders to delete them. Now they stay with their owner.
UPDATE "orders" SET "deleting_until" = NULL WHERE "deleting_until" = '9999-01-01 00:00:00+00';--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_admin_has_email";
