-- The proof of the creator's own part of a round, for the public record: path and salt as they were when the last attempt was signed.
-- It is kept because building it again costs as much as the round has followers.
alter table allocation add column proof jsonb;
