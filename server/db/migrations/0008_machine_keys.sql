CREATE TABLE "machine_keys" (
	"name" text PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"may" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "machine_keys_token_hash_unique" UNIQUE("token_hash")
);
