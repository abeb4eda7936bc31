-- The database container runs this once as superuser on a new volume. It creates the shop's role and database.
\getenv password POSTGRES_PASSWORD

create role forgeline login password :'password'
  nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
create database forgeline owner forgeline;

-- The shop's role can connect only to its own database.
revoke connect on database forgeline, postgres, template1 from public;

-- Without a password the superuser can connect only through the socket inside the container.
alter role postgres password null;
