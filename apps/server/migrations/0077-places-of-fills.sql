-- As in 0039, but what was taken back is looked up once: for each fill its place was looked for among all fills of the same book and token
-- before it, which of a book with 40,000 of them took longer than anybody waits.
create or replace view standing_fill as
  select f.id, f.reference, f.user_id, f.book_id, f.mint, f.kind, f.tokens, f.lamports, f.fee_lamports, f.cost_lamports,
    f.uncosted_tokens, f.order_id, f.signature, f.slot, f.at, least(t.first, f.id) as place
  from fill f left join (
    select u.book_id, u.mint, u.order_id, min(u.id) as first from fill_undone d join fill u on u.reference = d.reference
    group by u.book_id, u.mint, u.order_id
  ) t on t.book_id = f.book_id and t.mint = f.mint and t.order_id = f.order_id
  where not exists (select 1 from fill_undone d where d.reference = f.reference)
  union all select f.*, f.id from round_fill f;
