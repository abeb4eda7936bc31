CREATE TABLE IF NOT EXISTS "embedded_identity"."accounts" (
	"local_id" text CONSTRAINT "identity_accounts_pkey" PRIMARY KEY NOT NULL,
	"email" text,
	"email_verified" boolean DEFAULT false NOT NULL,
	"password_hash" text,
	"display_name" text,
	"photo_url" text,
	"disabled" boolean DEFAULT false NOT NULL,
	"valid_since" timestamp with time zone DEFAULT now() NOT NULL,
	"last_login_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "identity_accounts_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "embedded_identity"."codes" (
	"code_hash" text CONSTRAINT "identity_codes_pkey" PRIMARY KEY NOT NULL,
	"request_type" text NOT NULL,
	"local_id" text NOT NULL,
	"email" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "identity_codes_local_id_identity_accounts_local_id_fk" FOREIGN KEY ("local_id") REFERENCES "embedded_identity"."accounts"("local_id") ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "embedded_identity"."federated" (
	"provider_id" text NOT NULL,
	"raw_id" text NOT NULL,
	"local_id" text NOT NULL,
	"email" text,
	"display_name" text,
	"photo_url" text,
	CONSTRAINT "identity_federated_provider_id_raw_id_pk" PRIMARY KEY("provider_id","raw_id"),
	CONSTRAINT "identity_federated_local_id_identity_accounts_local_id_fk" FOREIGN KEY ("local_id") REFERENCES "embedded_identity"."accounts"("local_id") ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "embedded_identity"."keys" (
	"kid" text CONSTRAINT "identity_keys_pkey" PRIMARY KEY NOT NULL,
	"private_jwk" jsonb NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS "embedded_identity"."refresh_tokens" (
	"token_hash" text CONSTRAINT "identity_refresh_tokens_pkey" PRIMARY KEY NOT NULL,
	"local_id" text NOT NULL,
	"provider" text NOT NULL,
	"auth_time" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "identity_refresh_tokens_local_id_identity_accounts_local_id_fk" FOREIGN KEY ("local_id") REFERENCES "embedded_identity"."accounts"("local_id") ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "identity_codes_account" ON "embedded_identity"."codes" USING btree ("local_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "identity_codes_expiry" ON "embedded_identity"."codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "identity_federated_account" ON "embedded_identity"."federated" USING btree ("local_id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "identity_refresh_tokens_account" ON "embedded_identity"."refresh_tokens" USING btree ("local_id");
