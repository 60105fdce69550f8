import type { CallReply } from '@hunter/contract/calls';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { printSol } from '@hunter/domain/numbers/lamports';
import { address as solanaAddress, type Address } from '@hunter/solana/address';
import { SYSTEM_PROGRAM } from '@hunter/solana/program-ids';
import type { ParsedAccountInfo, TokenAccount } from '@hunter/solana/rpc-replies';
import { programName } from './program-names.ts';
import type { TokenRef, TokenRefOf } from './view-transaction.ts';

type Reply = CallReply<'getChainAddress'>;

const TOKENS_MAX = 200;

export function isWallet(account: ParsedAccountInfo | null): boolean {
  return account !== null && account.owner === SYSTEM_PROGRAM && !account.executable;
}

/** `held` are the token accounts of a wallet, or of an address without an account. */
export function viewAddress(
  address: Address,
  account: ParsedAccountInfo | null,
  held: readonly TokenAccount[],
  poolOf: TokenRef | null,
  tokenOf: TokenRefOf,
): Reply {
  const info = account?.parsed?.info ?? {};
  const kind = kindOf(account, held.length > 0);
  return {
    address,
    kind,
    sol: printSol(account?.lamports ?? 0n),
    program: account && { address: account.owner, name: programName(account.owner) },
    programName: kind === 'program' ? programName(address) : null,
    tokenAccount:
      kind === 'token-account'
        ? {
            ...tokenOf(solanaAddress(String(info.mint))),
            owner: String(info.owner),
            amount: amountOf(info.tokenAmount),
            frozen: info.state === 'frozen',
          }
        : null,
    mint:
      kind === 'mint'
        ? {
            ...tokenOf(address),
            supply: printDecimal(BigInt(String(info.supply)), Number(info.decimals)),
            decimals: Number(info.decimals),
            mintAuthority: textOrNull(info.mintAuthority),
            freezeAuthority: textOrNull(info.freezeAuthority),
          }
        : null,
    poolOf,
    tokens: held
      .filter(({ amount }) => amount > 0n)
      .slice(0, TOKENS_MAX)
      .map((one) => ({
        ...tokenOf(one.mint),
        account: one.address,
        amount: printDecimal(one.amount, one.decimals),
      })),
  };
}

function kindOf(account: ParsedAccountInfo | null, holdsTokens: boolean): Reply['kind'] {
  if (account === null) return holdsTokens ? 'wallet' : 'none';
  if (account.executable) return 'program';
  if (account.parsed?.program.startsWith('spl-token') && account.parsed.type === 'mint') return 'mint';
  if (account.parsed?.program.startsWith('spl-token') && account.parsed.type === 'account') return 'token-account';
  return isWallet(account) ? 'wallet' : 'account';
}

function amountOf(value: unknown): string {
  const { amount, decimals } = value as { amount: string; decimals: number };
  return printDecimal(BigInt(amount), decimals);
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
