import { printTokens } from '@hunter/domain/numbers/base-units';
import { SOL_DECIMALS } from '@hunter/domain/numbers/lamports';
import { isMint, SOL, type Asset } from '../../ledger/journal.ts';
import type { TokenFacts } from '../../market/token-facts.ts';
import type { Database } from '../../platform/postgres.ts';
import {
  loadNewestSnapshot,
  loadOwnReserves,
  loadReserveWallets,
  missingOf,
} from '../../treasury/reserves/reserve-reads.ts';
import type { Handlers } from '../handlers.ts';

export type ReserveDeps = { database: Database; tokens: TokenFacts; bookKey: (bookId: string) => Uint8Array };

export function reserveHandlers({ database, tokens, bookKey }: ReserveDeps) {
  const printer = async (assets: readonly Asset[]) => {
    const known = await tokens.load([...new Set(assets)].filter(isMint));
    return {
      asset: (asset: Asset) => ({
        tokenContractAddress: asset === SOL ? null : asset,
        tokenSymbol: asset === SOL ? SOL : (known.get(asset)?.symbol ?? `${asset.slice(0, 4)}…${asset.slice(-4)}`),
      }),
      amount: (asset: Asset, amount: bigint) =>
        printTokens(amount, asset === SOL ? SOL_DECIMALS : (known.get(asset)?.decimals ?? null)),
    };
  };
  return {
    getReserves: async () => {
      const snapshot = await loadNewestSnapshot(database);
      if (snapshot === null) return { snapshot: null };
      const { id, takenAt, slot, assets, inFlight } = snapshot;
      const print = await printer(assets.map(({ asset }) => asset));
      return {
        snapshot: {
          id,
          time: takenAt.getTime(),
          slot: slot.toString(),
          assets: assets.map((row) => ({
            ...print.asset(row.asset),
            kind: row.kind,
            owed: print.amount(row.asset, row.owed),
            onChain: print.amount(row.asset, row.onChain),
            inTransit: print.amount(row.asset, row.inTransit),
            unassigned: print.amount(row.asset, row.unclaimed),
            root: row.root,
            sum: row.sum?.toString() ?? null,
            covered: missingOf(row) <= 0n,
          })),
          inFlight,
        },
      };
    },
    getReserveWallets: async ({ cursor, limit }) => {
      const snapshot = await loadNewestSnapshot(database);
      if (snapshot === null) return { lists: [], nextCursor: null };
      const rows = await loadReserveWallets(database, snapshot.id, cursor ?? '', limit);
      const print = await printer(rows.map(({ asset }) => asset));
      const last = rows.at(-1);
      return {
        lists: rows.map(({ address, kind, asset, owed, onChain }) => ({
          ...print.asset(asset),
          address,
          kind,
          owed: print.amount(asset, owed),
          onChain: print.amount(asset, onChain),
        })),
        nextCursor: last && rows.length === limit ? `${last.address} ${last.asset}` : null,
      };
    },
    getMyReserveProofs: async (_request, { session }) => {
      const own = await loadOwnReserves({ database, bookKey }, session.userId);
      const print = await printer(own.map(({ asset }) => asset));
      return {
        lists: own.map(({ asset, ...proof }) => ({
          ...print.asset(asset),
          ...proof,
          shownAmount: print.amount(asset, BigInt(proof.amount)),
        })),
      };
    },
  } satisfies Partial<Handlers>;
}
