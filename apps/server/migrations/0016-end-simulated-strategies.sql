-- The simulated traders of earlier versions had accounts that nobody can log in to. Their successors register through the API
-- like anybody, so the old strategies end the ordinary way: the next pass over expired strategies sells and returns everything.
update strategy set ends_at = now()
where status = 'running' and user_id in (select id from users where email_key like 'trader-%@simulated.invalid');
