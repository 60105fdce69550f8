-- What a paper follow became when it ended. The pools that it was replayed over are kept for a month only.
-- contract: programs from 0030 on
alter table paper_follow add column result jsonb, add check (result is null or ended_at is not null);
