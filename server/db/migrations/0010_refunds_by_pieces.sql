-- The previous version knows one refund of a payment by "intent_id", and writes "restock" and "refund_parts".
-- A later migration drops them, with the trigger.
ALTER TABLE "refunds" DROP CONSTRAINT IF EXISTS "refunds_pkey";--> statement-breakpoint
ALTER TABLE "refunds" ALTER COLUMN "intent_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "payment_id" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "pieces" integer;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "restock_pieces" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "number" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "done_at" timestamp with time zone;--> statement-breakpoint
UPDATE "refunds" SET "payment_id" = p.intent_id,
	"pieces" = CASE WHEN p.outcome = 'paid' AND "refunds".amount_cents = p.amount_cents THEN o.quantity END,
	"restock_pieces" = CASE WHEN "refunds".restock THEN coalesce(o.quantity, 0) ELSE 0 END,
	"done_at" = CASE WHEN "refunds".state = 'succeeded' THEN "refunds".updated_at WHEN p.outcome = 'paid' THEN o.refunded_at END
FROM payments p LEFT JOIN orders o ON o.id = p.order_id WHERE p.intent_id = "refunds".intent_id;--> statement-breakpoint
INSERT INTO "refunds" (payment_id, order_id, amount_cents, currency, reason, state, refund_id, done_at, created_at)
SELECT p.intent_id, p.order_id, part.amount_cents, p.currency, 'refunded at the payment provider', part.state, part.refund_id,
	CASE WHEN part.state = 'succeeded' THEN part.created_at END, part.created_at
FROM refund_parts part JOIN payments p USING (intent_id) ON CONFLICT DO NOTHING;--> statement-breakpoint
ALTER TABLE "refund_parts" DROP CONSTRAINT "refund_parts_state", DROP CONSTRAINT "refund_parts_amount",
	DROP CONSTRAINT "refund_parts_intent_id_payments_intent_id_fk";--> statement-breakpoint
ALTER TABLE "refunds" ALTER COLUMN "payment_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_intent_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("intent_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refunds_payment" ON "refunds" USING btree ("payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_one_requested" ON "refunds" USING btree ("payment_id") WHERE state = 'requested';--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_intent_id_unique" UNIQUE("intent_id");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_number_unique" UNIQUE("number");--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_pieces" CHECK ("refunds"."pieces" > 0);--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_restock" CHECK ("refunds"."restock_pieces" >= 0);--> statement-breakpoint
CREATE OR REPLACE FUNCTION complete_refund_of_previous_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	ordered integer;
BEGIN
	SELECT quantity INTO ordered FROM orders WHERE id = NEW.order_id;
	IF NEW.payment_id IS NULL THEN
		NEW.payment_id := NEW.intent_id;
		SELECT ordered INTO NEW.pieces FROM payments p
		WHERE p.intent_id = NEW.intent_id AND p.outcome = 'paid' AND p.amount_cents = NEW.amount_cents;
	END IF;
	IF NEW.restock AND NEW.restock_pieces = 0 THEN
		NEW.restock_pieces := coalesce(ordered, 0);
	END IF;
	IF NEW.state = 'succeeded' AND NEW.done_at IS NULL THEN
		NEW.done_at := now();
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE OR REPLACE TRIGGER refunds_of_previous_version BEFORE INSERT OR UPDATE ON "refunds"
	FOR EACH ROW EXECUTE FUNCTION complete_refund_of_previous_version();
