// A life in rows: what an installation holds at each version of the schema, one statement per table that the version brought. An
// upgrade must keep all of it. A migration that adds a table adds a row of it here.

const user = `'00000000-0000-4000-8000-000000000001'`;
const book = `'00000000-0000-4000-8000-0000000000b1'`;
const strategyBook = `'00000000-0000-4000-8000-0000000000b2'`;
const followBook = `'00000000-0000-4000-8000-0000000000b3'`;
const order = `'00000000-0000-4000-8000-0000000000c1'`;
const withdrawal = `'00000000-0000-4000-8000-0000000000d1'`;
const strategy = `'00000000-0000-4000-8000-0000000000e1'`;
const follow = `'00000000-0000-4000-8000-0000000000f1'`;
const mint = `'Mint111111111111111111111111111111111111111'`;

/** Columns that a later version gave up on purpose, because what they held follows from others. Any other must be kept. */
export const givenUp: readonly string[] = [
  'token.search_text',
  'token_stats.holders_ranked',
  'token_account.user_id',
  'order_attempt.venue_participant',
  'copy_round.created_at',
  'signed_transaction.venue_participant',
  'trade_order.parent_id',
  'trade_order.round_id',
  // Now withdrawal.amount, because tokens are withdrawn too.
  'withdrawal.lamports',
  // Strategies of before are ended by the upgrade.
  'strategy.status',
  'follow.status',
  'follow.closed_by',
];

/** The migrations that move the rows of these tables to another one, or give them what later ones are written with. */
export const movesTables: readonly string[] = ['0019', '0024', '0039', '0061'];

/** Tables whose rows a later version keeps in another one, with how to read them there in their old shape. */
export const movedTables: Readonly<Record<string, string>> = {
  order_attempt: `select intent_id::uuid as order_id, attempt, signature, wire, venue_request,
      last_valid_block_height, sender, replace(state, 'sent', 'live') as state, created_at
    from signed_transaction where purpose = 'order'`,
  withdrawal_attempt: `select intent_id::uuid as withdrawal_id, attempt, signature, wire, last_valid_block_height,
      replace(replace(state, 'sent', 'live'), 'finalized', 'landed') as state, created_at
    from signed_transaction where purpose = 'withdrawal' order by attempt`,
  token_account_closing: `select s.signature, w.user_id, t.mint, s.wire, s.last_valid_block_height, s.state, s.created_at
    from signed_transaction s join wallet w on w.address = s.wallet_address join token_account t on t.address = s.intent_id
    where s.purpose = 'closing'`,
  copy_round: `select o.id, s.id as strategy_id, o.side, o.mint, 10 as amount_in, 100 as creator_before, 'planned' as state,
      a.at as created_at
    from allocation a join trade_order o on o.id = a.order_id join follow f on f.id = a.follow_id
      join strategy s on s.id = f.strategy_id`,
  copy: `select a.follow_id, a.order_id as round_id, o.side, case when a.reason is null then 'filled' else 'skipped' end as state,
      null::uuid as order_id, null::numeric as amount_in, a.reason, a.filled_in, a.filled_out, a.fee_lamports, null::text as signature,
      a.at as created_at, null::timestamptz as settled_at, a.wanted_in, a.limited_by, a.run_up_lamports, a.cost_lamports
    from allocation a join trade_order o on o.id = a.order_id`,
  balance: `select * from balance where amount > 0 order by account`,
  position: `select * from position`,
};

export const rowsOfMigration: Readonly<Record<string, readonly string[]>> = {
  '0001': [
    `insert into outbox (topic, payload) values ('mail', '{"to":"a@example.com"}'), ('wallet-created', '{"walletId":"w"}')`,
    `insert into idempotency (user_id, key, call, request_hash, reply) values
       (${user}, 'answered', 'tokenTransfer', '\\x01', '{"id":"1"}'), (${user}, 'running', 'withdrawal', '\\x02', null)`,
  ],
  '0002': [
    `insert into users (id, email, email_key, password_hash, display_name, slippage_bps)
       values (${user}, 'Somebody@example.com', 'somebody@example.com', '$argon2id$', 'quiet-otter', 250)`,
    `insert into wallet (user_id, address, envelope) values (${user}, 'Wallet11111111111111111111111111111111111', 'sealed')`,
    `insert into session (user_id, token_hash, expires_at, device, address)
       values (${user}, '\\xaa', now() + interval '1 day', 'a browser', '127.0.0.1')`,
    `insert into known_device (user_id, fingerprint) values (${user}, '\\xbb')`,
    `insert into email_code (email_key, purpose, code_hash, tries_left, sent_at, expires_at)
       values ('somebody@example.com', 'reset', '\\xcc', 5, now(), now())`,
    `insert into email_code_day (email_key, day, sent) values ('somebody@example.com', '2026-11-01', 3)`,
    `insert into invite (code, owner_id, uses_total, uses_left) values ('ABCD', ${user}, 3, 2), ('OPERATOR', null, 10, 10)`,
    `insert into invite_use (user_id, code) values (${user}, 'HUNTER')`,
    `insert into audit_event (user_id, event, address) values (${user}, 'registered', '127.0.0.1'), (null, 'kill-switch', 'operator')`,
    `insert into local_mail (email_key, subject, text, code) values ('somebody@example.com', 'Hello', 'Your code', '123456')`,
  ],
  '0003': [
    `insert into book (id, user_id, kind, name) values (${book}, ${user}, 'personal', 'Personal')`,
    `insert into journal_entry (kind, reference, signature, slot) values ('deposit', 'first', 'sig', 5), ('order-hold', 'second', null, null)`,
    // The trigger makes the balances of these.
    `insert into posting (entry_id, line, book_id, account, asset, amount)
       select id, 1, ${book}::uuid, 'cash', 'SOL', 18446744073709551615 from journal_entry where reference = 'first'
       union all select id, 2, null, 'chain', 'SOL', -18446744073709551615 from journal_entry where reference = 'first'
       union all select id, 1, ${book}::uuid, 'cash', 'SOL', -7 from journal_entry where reference = 'second'
       union all select id, 2, ${book}::uuid, 'held', 'SOL', 7 from journal_entry where reference = 'second'`,
    `insert into fill (reference, user_id, book_id, mint, kind, tokens, lamports, at) values ('f', ${user}, ${book}, ${mint}, 'buy', 10, 20, now())`,
    `insert into position (book_id, mint, user_id, quantity, cost_lamports, opened_at) values (${book}, ${mint}, ${user}, 10, 20, now())`,
    `insert into round_trip (book_id, mint, user_id, opened_at, open_lamports, open_tokens, bought_tokens, bought_lamports,
       sold_tokens, sold_lamports, quantity, cost_lamports, realised_lamports)
       values (${book}, ${mint}, ${user}, now(), 20, 10, 10, 20, 0, 0, 10, 20, -3)`,
  ],
  '0004': [
    `insert into token (mint, name, symbol, decimals, token_program, supply, created_at, name_flags)
       values (${mint}, 'A Name', 'NAME', 6, 'Tokenkeg', 1000000, now(), '{markup}')`,
    `insert into token_stats (token_id, price_sol, change_1h, trend) select id, 5, -1.5, '{1,2}' from token`,
    `insert into trader (address) values ('Trader1')`,
    `insert into trade (token_id, seq, at, is_buy, lamports, base_units, price_sol, price_usd, value_usd, trader_id, signature)
       select t.id, 65536, now(), true, 10, 20, 5, 6, 7, w.id, 'sig' from token t, trader w`,
    `insert into candle_1m (token_id, start, o, h, l, c, v, v_usd, buys, sells, first_seq, last_seq)
       select id, now(), 1, 4, 1, 2, 20, 7, 1, 0, 65536, 65536 from token`,
    `insert into candle_1h select * from candle_1m`,
    `insert into holder (token_id, trader_id, amount, seq) select t.id, w.id, 20, 65536 from token t, trader w`,
    `insert into trader_stats (trader_id, realized_lamports) select id, -4 from trader`,
    `insert into sol_price (at, usd) values (now(), 150000000)`,
    `insert into market_cursor (source, cursor, newest_seq) values ('chain', '{"signature":"sig"}', 65536)`,
    `insert into token_safety (token_id, facts, checked_at) select id, '{"mintAuthority":null}', now() from token`,
    `insert into notice (token_id, trigger, at, price_usd, market_cap_usd, peak_usd) select id, 'breakout', now(), 1, 2, 3 from token`,
    `insert into holder_history (token_id, at, holders) select id, now(), 12 from token`,
  ],
  '0005': [
    `insert into trade_order (id, user_id, book_id, kind, side, mint, amount_in, slippage_bps, state, hold_lamports, attempts)
       values (${order}, ${user}, ${book}, 'trade', 'buy', ${mint}, 7, 100, 'sent', 7, 1),
         (gen_random_uuid(), ${user}, ${book}, 'close', 'sell', ${mint}, 5, 100, 'dead', 0, 0)`,
    `insert into order_attempt (order_id, attempt, signature, wire, venue_request, last_valid_block_height, sender)
       values (${order}, 1, 'order-sig', '\\x0102', 'request', 900, 'somebody')`,
    `insert into token_account (user_id, mint, address, token_program, book_id, rent_lamports)
       values (${user}, ${mint}, 'Account1', 'Tokenkeg', ${book}, 2039280)`,
    `insert into token_account_closing (signature, user_id, mint, wire, last_valid_block_height, state)
       values ('closing-sig', ${user}, ${mint}, '\\x03', 800, 'expired')`,
    `insert into reconciliation_alarm (user_id, asset, books, chain, slot, resolved_at) values (${user}, 'SOL', 5, 6, 700, now())`,
  ],
  '0006': [
    `insert into watched_address (address, user_id, wallet_address, read_until_signature) values ('Account1', ${user}, 'Wallet1', 'sig')`,
    `insert into wallet_movement (user_id, wallet_address, signature, asset, decimals, amount, slot, at)
       values (${user}, 'Wallet1', 'sig', 'SOL', 9, 5, 600, now()), (${user}, 'Wallet1', 'out-sig', 'SOL', 9, -2, 601, now())`,
    `insert into withdrawal (id, user_id, book_id, from_address, to_address, lamports, fee_lamports, state, request_key)
       values (${withdrawal}, ${user}, ${book}, 'Wallet1', 'Elsewhere', 2, 5000, 'sent', 'key')`,
    `insert into withdrawal_attempt (withdrawal_id, attempt, signature, wire, last_valid_block_height)
       values (${withdrawal}, 1, 'withdrawal-sig', '\\x04', 950)`,
  ],
  '0007': [
    `insert into book (id, user_id, kind, name) values (${strategyBook}, ${user}, 'strategy', 'S'), (${followBook}, ${user}, 'follow', 'F')`,
    `insert into strategy (id, user_id, book_id, slug, name, status, auto_clear, capital_lamports, published_at)
       values (${strategy}, ${user}, ${strategyBook}, 'a-slug', 'A strategy', 'running', true, 100, now())`,
    `insert into strategy_stats (strategy_id, units, nav, peak, worst_peak, worst_low, equity_lamports, marked_at)
       values (${strategy}, 1, 2, 3, 4, 1, 100, now())`,
    `insert into nav_point (strategy_id, at, nav, equity_lamports) values (${strategy}, now(), 2, 100)`,
    `insert into strategy_event (strategy_id, reference, kind, side, lamports, at, nav) values (${strategy}, 'r', 'flow', 'in', 100, now(), 2)`,
    `insert into follow (id, user_id, strategy_id, book_id, mode, status, amount_lamports, slippage_bps, opened_at)
       values (${follow}, ${user}, ${strategy}, ${followBook}, 'sol', 'active', 50, 100, now())`,
    `insert into copy_round (id, strategy_id, side, mint, amount_in, creator_before, created_at)
       values (${order}, ${strategy}, 'buy', ${mint}, 10, 100, now())`,
    `insert into copy (follow_id, round_id, side, state, reason, created_at) values (${follow}, ${order}, 'buy', 'skipped', 'paused', now())`,
  ],
  '0013': [`insert into lease (name, owner, epoch, since, until) values ('server', 'process 1', 7, now(), now())`],
  '0017': [`insert into wallet_link (wallet_address, other_address) values ('Wallet1', 'Stranger1')`],
  '0019': [
    `insert into signed_transaction (signature, purpose, intent_id, attempt, wallet_address, wire, last_valid_block_height, sender)
       values ('later-sig', 'closing', 'Account2', 1, 'Wallet11111111111111111111111111111111111', '\\x05', 990, '')`,
  ],
  '0022': [
    `insert into record_trip (strategy_id, user_id, mint, opened_at, opening_lamports, opening_equity_lamports, equity_lamports,
       held_tokens, cost_lamports, proceeds_lamports, pool_lamports, pool_fee_bps, off_market, outcome, x)
       values (${strategy}, ${user}, ${mint}, now(), 5, 100, 100, 10, 5, 0, 1000, 50, 'off-price', 'lost', -0.05)`,
  ],
  '0023': [
    `insert into transfer (id, kind, wallet_id, state, signature) select ${order}, 'commit', id, 'sent', 'transfer-sig' from wallet`,
    `insert into transfer_leg (transfer_id, line, from_book, to_book, asset, amount)
       values (${order}, 0, ${book}, ${strategyBook}, 'SOL', 5)`,
  ],
  '0027': [
    `insert into insider (token_id, trader_id) select t.id, w.id from token t, trader w`,
    `insert into watched_token (user_id, mint) values (${user}, ${mint})`,
  ],
  '0028': [
    `insert into trader_day (trader_id, day, first_seq, trades, volume_lamports, realized_lamports, round_trips, wins)
       values (7, '2026-01-02', 5, 2, 300, -20, 1, 0)`,
    `insert into tracked_wallet (user_id, address, name) values (${user}, 'Wallet1', 'whale')`,
  ],
  '0029': [`insert into fill_undone (reference, at) values ('f', now())`],
  '0030': [
    `insert into round_market (order_id, strategy_id, at, tier, creator_before, creator_equity_lamports, coin_age_ms, held_tokens)
       values (${order}, ${strategy}, now(), 'new', 100, 100, 5, 10)`,
    `insert into pool_mark (mint, at, sol_reserve, token_reserve, virtual_sol, virtual_tokens, fee_bps)
       values (${mint}, now(), 1000, 2000, 0, 0, 50)`,
    `insert into paper_follow (id, user_id, strategy_id, mode, amount_lamports, multiplier_bps, run_up_bps, started_at)
       values (${follow}, ${user}, ${strategy}, 'sol', 50, 10000, 300, now())`,
  ],
  '0031': [`insert into withdrawal_address (user_id, address, label) values (${user}, 'Elsewhere', 'Savings')`],
  '0032': [
    `insert into alert (user_id, kind, payload) values (${user}, 'frozen', '{}')`,
    `insert into mail_link (token_hash, user_id, purpose, expires_at) values ('\\xdd', ${user}, 'freeze', now())`,
    `insert into operator_read (user_id, operator, reason) values (${user}, 'ops', 'a ticket')`,
  ],
  '0033': [
    `insert into alert (user_id, kind, reference, payload) values (${user}, 'deposit', 'r', '{"kind":"deposit"}')`,
    `insert into alert_choice (user_id, kind, channels) values (${user}, 'deposit', '{app}')`,
    `insert into alert_delivery (alert_id, channel, user_id, due_at) select id, 'mail', user_id, now() from alert`,
    `insert into price_alert (user_id, mint, symbol, direction, target_usd) values (${user}, ${mint}, 'M', 'above', 5)`,
  ],
  '0034': [
    `insert into equity_point (user_id, at, equity_lamports, profit_lamports, sol_lamports) values (${user}, now(), 5, -2, 5)`,
  ],
  '0035': [
    `insert into order_trigger (id, user_id, book_id, book_kind, mint, kind, side, state, level, slippage_bps, created_at)
       values (${order}, ${user}, ${book}, 'personal', ${mint}, 'stop-loss', 'sell', 'open',
         '{"unit":"sol","value":"5","when":"below"}', 2000, now())`,
    `insert into trigger_firing (trigger_id, firing, order_id, amount_in, at) values (${order}, 1, ${order}, 5, now())`,
  ],
  '0036': [
    `insert into wallet_follow (id, user_id, book_id, address, name, settings, amount_lamports, seen_seq, started_at)
       values (${follow}, ${user}, ${book}, 'Wallet1', 'whale', '{}', 5, 7, now())`,
    `insert into wallet_copy (follow_id, seq, mint, side, lamports, tokens, signature, traded_at, is_first_buy, state, order_id, seen_at)
       values (${follow}, 8, ${mint}, 'buy', 5, 6, 'sig', now(), true, 'done', ${order}, now())`,
  ],
  '0037': [
    `insert into foreign_account (address, user_id, wallet_id, mint, decimals, amount, signature)
       select 'Foreign1', ${user}, id, ${mint}, 6, 5, 'sig' from wallet`,
    `insert into unreadable_transaction (signature, wallet_id, user_id, reason) select 'odd-sig', id, ${user}, 'version 7' from wallet`,
    `insert into hidden_token (user_id, mint) values (${user}, ${mint})`,
    `insert into difference_settlement (wallet_id, asset, amount, cause, proposed_by) select id, 'SOL', 5, 'why', 'ada' from wallet`,
  ],
  '0038': [
    `insert into reserve_snapshot (id, slot, in_flight) values (${order}, 5, '{sig}')`,
    `insert into reserve_asset (snapshot_id, kind, asset, owed, unclaimed, on_chain) values (${order}, 'personal', 'SOL', 5, 0, 5)`,
    `insert into reserve_wallet (snapshot_id, address, kind, asset, owed, on_chain) values (${order}, 'Wallet1', 'personal', 'SOL', 5, 5)`,
    `insert into reserve_tree (snapshot_id, asset, root, sum, hashes, sums, book_ids) values (${order}, 'SOL', 'root', 5, '\\x01', '{5}', array[${book}::uuid])`,
  ],
  '0039': [
    `insert into trade_order (id, user_id, book_id, wallet_id, kind, side, mint, amount_in, swap_in, slippage_bps, state, is_round,
       hold_lamports) select ${withdrawal}, ${user}, ${strategyBook}, id, 'trade', 'buy', ${mint}, 5, 5, 100, 'held', true, 5 from wallet`,
    `insert into allocation (order_id, book_id, user_id, amount_in, hold_lamports, at) values (${withdrawal}, ${book}, ${user}, 5, 5, now())`,
    `with entry as (insert into journal_entry (kind, reference) values ('order-hold', ${withdrawal}) returning id)
       insert into round_entry (entry_id, order_id, act) select id, ${withdrawal}, 'hold' from entry`,
    `insert into kept_line (entry_id, book_id, account, asset, amount) select id, ${book}, 'cash', 'SOL', 5 from journal_entry
       where reference = 'first'`,
  ],
  '0047': [
    `insert into push_device (id, user_id, session_id, sealed, name) select decode(repeat('00', 32), 'hex'), user_id, id, 'x', 'Firefox' from session limit 1`,
    `insert into telegram_link (user_id, chat_id, chat_name, linked_at) values (${user}, 5, '@ann', now())`,
  ],
  '0048': [
    `insert into api_key (id, user_id, name, secret_hash, hint, scope, requests_per_second, daily_lamports, addresses, created_at,
       expires_at) values (${order}, ${user}, 'bot', '\\xee', 'abcd', 'trade', 10, 5, '{203.0.113.0/24}', now(), now())`,
  ],
  '0049': [
    `insert into saved_item (user_id, kind, key, value, saved_at) values (${user}, 'chart', ${mint}, '{}', now())`,
  ],
  '0050': [
    `insert into ended_session (session_id) values (${order})`,
    `insert into server_secret (fingerprint) values ('print')`,
  ],
  '0051': [
    `insert into login_failure (key, count, last_at) values ('\\x01', 3, now())`,
    `insert into shared_rate (key, tokens, at) values ('\\x01', 3, now())`,
  ],
  '0052': [
    `insert into paper_wallet_follow (id, user_id, address, name, amount_lamports, settings, started_at)
       values (${follow}, ${user}, 'Wallet1', 'whale', 5, '{}', now())`,
  ],
  '0069': [
    `insert into password_change (user_id, password_hash, sealed_before, session_id, address)
       values (${user}, 'hash', 'sealed', ${order}, '203.0.113.1')`,
  ],
  '0072': [`update password_change set session_id = null where user_id = ${user}`],
  '0058': [
    `insert into wallet_link (wallet_address, other_address, is_outgoing, received_at) values ('Wallet1', 'Stranger2', true, null)`,
  ],
};
