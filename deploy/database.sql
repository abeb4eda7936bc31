-- Run once by the database container, as its superuser, on a new volume: the shop's own role and database.
\getenv password POSTGRES_PASSWORD

create role forgeline login password :'password'
  nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
create database forgeline owner forgeline;

-- The shop's role reaches its own database and no other.
revoke connect on database forgeline, postgres, template1 from public;

-- The password is the shop's alone. The superuser is left with the socket inside the container.
alter role postgres password null;
