CREATE TABLE "pictures" (
	"hash" text NOT NULL,
	"width" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	"used_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pictures_hash_width_pk" PRIMARY KEY("hash","width")
);
