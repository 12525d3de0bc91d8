-- The database's part that a superuser must do: a login role and a schema of its own for each service. Run again, it
-- changes nothing. The variables name and password are set before it (see up).
\set ON_ERROR_STOP on
revoke all on database parley from public;
revoke all on schema public from public;
select format('create role %I login', :'name') where not exists (select from pg_roles where rolname = :'name') \gexec
alter role :"name" password :'password';
alter role :"name" set search_path = :"name";
alter role :"name" set statement_timeout = '5s';
alter role :"name" set lock_timeout = '2s';
alter role :"name" set idle_in_transaction_session_timeout = '10s';
-- create: a migration may make a trusted extension (pg_trgm) in the schema
grant connect, create on database parley to :"name";
create schema if not exists :"name" authorization :"name";
