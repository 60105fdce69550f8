import type { CallReply } from '@hunter/contract/calls';
import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  subtractDecimals,
} from '@hunter/domain/numbers/decimal';
import { opposite } from '../../ui/as-loss.ts';

export type ProofTransaction = CallReply<'getChainTransaction'>;
export type ProofTrade = {
  signature: string;
  time: number | null;
  side: 'buy' | 'sell';
  wallet: string;
  /** Positive. */
  tokens: string;
  /** Paid for a buy, received for a sale, with fees, without the rent of the token account; below zero where they took more than it brought. */
  sol: string;
};
export type Recomputed = {
  wallet: string;
  trades: readonly ProofTrade[];
  bought: string;
  sold: string;
  left: string;
  paid: string;
  received: string;
  /** In SOL for one token; null without a buy. */
  entryPrice: string | null;
  /** Of what was sold, against the average cost of what was bought before; null without a sale. */
  realized: string | null;
  realizedPercent: string | null;
};
export type ProofProblem = 'missing' | 'other-wallet' | 'no-trade';

const PLACES = 18;
type Details = NonNullable<ProofTransaction['details']>;
const signOf = (value: string): number => compareDecimals(value, '0');
const abs = (value: string): string => value.replace(/^-/, '');
const shareOf = (value: string, part: string, whole: string): string =>
  divideDecimals(multiplyDecimals(value, part, PLACES, 'nearest'), whole, PLACES, 'nearest');

/** What one transaction did for the wallet that signed it. */
export function tradeOf(transaction: ProofTransaction, mint: string): ProofTrade | ProofProblem {
  const { signature, time, details, status } = transaction;
  if (status !== 'success' || details === null) return 'missing';
  const [wallet] = details.signers;
  const tokens = details.tokenChanges.find((each) => each.owner === wallet && each.tokenContractAddress === mint);
  const sol = details.solChanges.find(({ address }) => address === wallet);
  if (wallet === undefined || !tokens || !sol || !isSwap(details, wallet, mint)) return 'no-trade';
  const side = signOf(tokens.change) > 0 ? 'buy' : 'sell';
  const paidOrReceived = side === 'buy' ? opposite(addDecimals(sol.change, rentOf(details, wallet, mint))) : sol.change;
  return { signature, time, side, wallet, tokens: abs(tokens.change), sol: paidOrReceived };
}

const TOKEN_ACCOUNTS = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';

/** What the wallet put into its own token account, which stays its own; nothing where somebody else gave SOL too. */
function rentOf({ instructions, solChanges }: Details, wallet: string, mint: string): string {
  if (solChanges.some(({ address, change }) => address !== wallet && signOf(change) < 0)) return '0';
  // Its accounts are the payer, the token account, the owner and the mint.
  const made = instructions.find(
    ({ program, accounts }) => program === TOKEN_ACCOUNTS && accounts[2] === wallet && accounts[3] === mint,
  );
  return solChanges.find(({ address }) => address === made?.accounts[1])?.change ?? '0';
}

/**
 * Tokens of a swap come from, or go to, the token's pool, which takes or gives SOL for them. Two wallets of one's own can trade with each
 * other at any price, or move tokens alone; and where a third one gives SOL or tokens too, what was paid is not what they cost.
 */
function isSwap({ signers, solChanges, tokenChanges }: Details, wallet: string, mint: string): boolean {
  const moved = tokenChanges.filter(({ tokenContractAddress }) => tokenContractAddress === mint);
  const own = signOf(moved.find(({ owner }) => owner === wallet)?.change ?? '0');
  const [other, ...more] = moved.filter(({ owner, change }) => owner !== wallet && signOf(change) === -own);
  if (own === 0 || !other?.isPool || more.length > 0) return false;
  const solOf = (address: string): number => signOf(solChanges.find((each) => each.address === address)?.change ?? '0');
  const payers = signers.filter((signer) => signer !== wallet && signer !== other.owner && solOf(signer) < 0);
  return solOf(other.owner) === own && payers.length === 0;
}

/** Average cost over the trades, oldest first. */
export function recompute(transactions: readonly ProofTransaction[], mint: string): Recomputed | ProofProblem {
  const ordered = transactions.toSorted((left, right) => (left.slot ?? 0) - (right.slot ?? 0));
  const trades: ProofTrade[] = [];
  for (const transaction of ordered) {
    const trade = tradeOf(transaction, mint);
    if (typeof trade === 'string') return trade;
    trades.push(trade);
  }
  const [first] = trades;
  if (!first) return 'no-trade';
  if (trades.some(({ wallet }) => wallet !== first.wallet)) return 'other-wallet';

  let [held, cost, soldCost, soldFor] = ['0', '0', '0', '0'];
  let [bought, sold, paid, received] = ['0', '0', '0', '0'];
  for (const { side, tokens, sol } of trades) {
    if (side === 'buy') {
      [bought, paid] = [addDecimals(bought, tokens), addDecimals(paid, sol)];
      [held, cost] = [addDecimals(held, tokens), addDecimals(cost, sol)];
      continue;
    }
    [sold, received] = [addDecimals(sold, tokens), addDecimals(received, sol)];
    // Tokens that came from elsewhere have no cost here and bring no result: what they were sold for is none of the profit.
    if (compareDecimals(held, '0') <= 0) continue;
    const taken = compareDecimals(tokens, held) > 0 ? held : tokens;
    const part = shareOf(cost, taken, held);
    soldFor = addDecimals(soldFor, shareOf(sol, taken, tokens));
    [held, cost, soldCost] = [subtractDecimals(held, taken), subtractDecimals(cost, part), addDecimals(soldCost, part)];
  }
  const hasSold = compareDecimals(soldCost, '0') > 0;
  const realized = hasSold ? subtractDecimals(soldFor, soldCost) : null;
  return {
    wallet: first.wallet,
    trades,
    bought,
    sold,
    left: held,
    paid,
    received,
    entryPrice: compareDecimals(bought, '0') > 0 ? divideDecimals(paid, bought, PLACES, 'nearest') : null,
    realized,
    realizedPercent:
      realized === null
        ? null
        : divideDecimals(multiplyDecimals(realized, '100', PLACES, 'nearest'), soldCost, 4, 'nearest'),
  };
}
