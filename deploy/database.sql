-- Run once as superuser: creates the shop's role and database. The database container does so on a new volume.
\getenv password POSTGRES_PASSWORD

create role forgeline login password :'password'
  nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
create database forgeline owner forgeline;

-- The shop's role can connect only to its own database.
revoke connect on database forgeline, postgres, template1 from public;

\if :{?for_patroni}
-- Patroni connects over TCP: as the superuser, and as this role when a former primary rejoins the cluster.
grant connect on database postgres to rewinder;
\else
-- Without a password the superuser can connect only through the socket inside the container.
alter role postgres password null;
\endif
