DROP INDEX "sandbox_intents_method";--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_intents_method" ON "sandbox_intents" USING btree ("payment_method_id");