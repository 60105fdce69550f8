import { AppError } from '@hunter/contract/app-error';
import { decodeBase58 } from '@hunter/solana/base58';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import type { RpcClient } from '@hunter/solana/rpc-client';
import type { Address } from '@hunter/solana/address';
import { isWallet, viewAddress } from '../../explorer/view-address.ts';
import { viewTransaction, type TokenRefOf } from '../../explorer/view-transaction.ts';
import { logoUrlOf } from '../../market/reads/token-views.ts';
import type { TokenDirectory } from '../../market/token-directory.ts';
import type { Log } from '../../platform/log.ts';
import type { ChainReadLimit } from '../chain-read-limit.ts';
import type { Caller, Handlers } from '../handlers.ts';

export function explorerHandlers(deps: {
  rpc: RpcClient;
  limit: ChainReadLimit;
  tokens: TokenDirectory;
  isRoundSwap: (signature: string) => Promise<boolean>;
  log: Log;
}) {
  const { rpc, limit, tokens, isRoundSwap, log } = deps;
  const tokenOf: TokenRefOf = (mint) => {
    const token = tokens.get(mint);
    return {
      tokenContractAddress: mint,
      tokenSymbol: token?.symbol ?? null,
      tokenLogoUrl: token ? logoUrlOf(mint) : null,
    };
  };
  const isPoolOf = (mint: Address, owner: string): boolean => tokens.isPoolOf(mint, owner);
  const reading = <T>(caller: Caller, cost: number, read: () => Promise<T>): Promise<T> =>
    limit.run(caller.address, cost, () =>
      read().catch((error: unknown) => {
        log.warn({ requestId: caller.requestId, error: String(error) }, 'the node did not answer the explorer');
        throw new AppError('UNAVAILABLE');
      }),
    );
  return {
    getChainTransaction: ({ signature }, caller) => {
      requireSignature('signature', signature);
      return reading(caller, 2, async () => {
        const [transaction, statuses, isRound] = await Promise.all([
          rpc.getTransaction(signature),
          rpc.getSignatureStatuses([signature], { searchTransactionHistory: true }),
          isRoundSwap(signature),
        ]);
        const status = statuses.value[0] ?? null;
        return viewTransaction(signature, transaction, status, tokenOf, isPoolOf, isRound);
      });
    },
    getChainAddress: ({ address }, caller) => {
      return reading(caller, 3, async () => {
        const { value: account } = await rpc.getParsedAccountInfo(address);
        // A wallet without SOL has no account, and may hold tokens all the same.
        const held =
          account === null || isWallet(account)
            ? await Promise.all(
                [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((programId) =>
                  rpc.getTokenAccountsByOwner(address, { programId }),
                ),
              )
            : [];
        const pool = tokens.ofPool(address);
        return viewAddress(
          address,
          account,
          held.flatMap(({ value }) => value),
          pool ? tokenOf(pool.mint) : null,
          tokenOf,
        );
      });
    },
    getChainSignatures: ({ address, cursor, limit: most }, caller) => {
      if (cursor !== undefined) requireSignature('cursor', cursor);
      return reading(caller, 1, async () => {
        const rows = await rpc.getSignaturesForAddress(address, {
          limit: most,
          ...(cursor === undefined ? {} : { before: cursor }),
        });
        return {
          lists: rows.map(({ signature, slot, err, blockTime, confirmationStatus }) => ({
            signature,
            slot: Number(slot),
            time: blockTime === null ? null : blockTime * 1_000,
            failed: err !== null,
            confirmation: confirmationStatus,
          })),
          nextCursor: rows.length === most ? rows.at(-1)!.signature : null,
        };
      });
    },
  } satisfies Partial<Handlers>;
}

/** The right letters are not enough: the node would refuse it, and that would look as if the node were away. */
function requireSignature(field: string, text: string): void {
  if (decodeBase58(text).length !== 64) throw new AppError('INVALID_INPUT', { field, reason: 'format' });
}
