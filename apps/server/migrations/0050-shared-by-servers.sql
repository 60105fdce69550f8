-- Sessions that ended before their time, whoever ended them: every server that shares the database looks here several times a
-- second, so that a token is dead everywhere even where a message about it was lost.
create table ended_session (
  session_id uuid not null,
  ended_at timestamptz not null default clock_timestamp()
);
create index ended_session_by_time on ended_session (ended_at);

create function note_ended_sessions() returns trigger language plpgsql as $$
begin
  insert into ended_session (session_id) select id from gone;
  return null;
end
$$;
create trigger ended_sessions after delete on session
  referencing old table as gone for each statement execute function note_ended_sessions();

-- Which secret the servers of this database have; a server with another one would seal and check what the others cannot read.
create table server_secret (
  only_one boolean primary key default true check (only_one),
  fingerprint text not null,
  since timestamptz not null default now()
);
