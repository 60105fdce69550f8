-- Who may do what only one process at a time may do. A row is never deleted: its epoch only rises, so that an owner who
-- was paused while another took over is told apart from the present one.
create table lease (
  name text primary key,
  owner text not null,
  epoch bigint not null,
  since timestamptz not null,
  until timestamptz not null,
  -- Makes the epoch part of a key: then a takeover waits for transactions that hold the row with FOR KEY SHARE, and a
  -- renewal does not.
  unique (name, epoch)
);
