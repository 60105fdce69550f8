import type { Address } from '@hunter/solana/address';
import { lamports } from '@hunter/domain/numbers/lamports';
import { expect } from 'vitest';
import { address } from '@hunter/solana/address';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import { calls, type CallReply } from '@hunter/contract/calls';
import { strategyHandlers } from '../http/routes/strategies.ts';
import { createStrategy } from './create-strategy.ts';
import { followStrategy } from './follow-strategy.ts';
import type { Strategies } from './strategies.ts';
import { differencesToChain } from './strategies-for-test.ts';

export const SOL = 1_000_000_000n;

/** Tokens of the plain Token program, the deepest first. */
export async function plainMints(world: TradingWorld): Promise<Address[]> {
  const rows = (await (await fetch(`${world.venueUrl}/tokens/v2/toptraded/24h?limit=50`)).json()) as {
    id: Address;
    tokenProgram: string;
    liquidity: number;
  }[];
  return rows
    .filter((row) => row.tokenProgram.startsWith('Tokenkeg'))
    .sort((left, right) => right.liquidity - left.liquidity)
    .map((row) => row.id);
}

/** What tests of strategies do over and over, each time in the world that the test has then. */
export function strategySteps(current: () => { world: TradingWorld; deps: Strategies; mints: string[] }) {
  let names = 0;

  async function aStrategy(
    creator: Trader,
    overrides: { autoClear?: boolean; coins?: [string, string][]; minutes?: number } = {},
    by = current().deps,
  ) {
    names += 1;
    const coins = overrides.coins ?? [
      [current().mints[0]!, '40'],
      [current().mints[1]!, '20'],
    ];
    const { strategy } = await createStrategy(
      by,
      creator.userId,
      {
        name: `Strategy ${names}`,
        description: '',
        capital: lamports(2n * SOL),
        coins: coins.map(([tokenContractAddress, weight]) => ({
          tokenContractAddress: address(tokenContractAddress),
          weight,
        })),
        autoClear: overrides.autoClear ?? true,
        duration: overrides.minutes === undefined ? undefined : { days: 0, hours: 0, minutes: overrides.minutes },
      },
      `key ${names}`,
    );
    return strategy;
  }

  function follow(trader: Trader, slug: string, amount = SOL, mode: 'sol' | 'position' = 'sol', by = current().deps) {
    return followStrategy(
      by,
      trader.userId,
      { slug, mode, amount: lamports(amount), multiplier: '1' },
      `${slug} ${trader.userId}`,
    );
  }

  async function tokensIn(bookId: string): Promise<number> {
    const rows = await current().world.database.query(
      `select 1 from balance where book_id = $1 and asset <> 'SOL' and amount > 0`,
      [bookId],
    );
    return rows.length;
  }

  async function copiesOf(orderId: string) {
    return current().world.database.query<{ reason: string | null; filledIn: bigint; filledOut: bigint; fee: bigint }>(
      `select reason, filled_in as "filledIn", filled_out as "filledOut", fee_lamports as fee from filled_allocation
       where order_id = $1 and follow_id is not null`,
      [orderId],
    );
  }

  async function expectBooksEqualChain(): Promise<void> {
    expect(await differencesToChain(current().world)).toEqual({});
  }

  async function returned(followId: string): Promise<bigint> {
    const [row] = await current().world.database.query<{ returned: bigint }>(
      `select returned_lamports as returned from follow where id = $1 and status = 'closed'`,
      [followId],
    );
    return row!.returned;
  }

  /** Calls a handler as the edge does: the request parsed by the contract, the reply held against it. */
  async function ask<Name extends keyof ReturnType<typeof strategyHandlers>>(
    name: Name,
    userId: string | null,
    request: object,
  ) {
    const handlers = strategyHandlers(
      current().deps,
      () => '150',
      () => new Uint8Array(32),
    ) as Record<string, (request: unknown, caller: unknown) => Promise<unknown>>;
    const session = userId === null ? null : { sessionId: 's', userId, email: 'e' };
    const caller = { session, address: '', device: '', requestId: 'r', idempotencyKey: `key ${name}` };
    const call = calls[name];
    const reply = await handlers[name]!(call.request.parse(request), caller);
    return call.reply.parse(reply) as CallReply<Name>;
  }

  return { aStrategy, follow, tokensIn, copiesOf, expectBooksEqualChain, returned, ask };
}
