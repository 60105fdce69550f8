-- A reset is written down before the signer is asked for it, as a change of password is. It ends every session, so it keeps none.
alter table password_change alter column session_id drop not null;
