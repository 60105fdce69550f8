import type { LedgerChain } from '../chain/ledger-chain.ts';
import { jsonInteger } from './json-number.ts';
import { booleanIn, commitmentIn, configAt, type Method, oneOf, optionalU64In, u64At, u64Of } from './params.ts';
import { blockCleanedUp, blockNotAvailable, invalidParams } from './rpc-error.ts';
import { encodeTransaction, encodeTransactionAccounts, TRANSACTION_ENCODINGS } from './transaction-encoding.ts';
import { unsupportedVersion } from './transaction-methods.ts';

const BLOCKS_RANGE_MAX = 500_000;

function requireBlock(chain: LedgerChain, slot: number, newest: bigint): void {
  const first = Number(chain.firstSlot());
  if (slot < first) throw blockCleanedUp(slot, first);
  if (slot > newest) throw blockNotAvailable(slot);
}

export const getBlock: Method = (chain, params) => {
  const slot = u64At(params, 0);
  const config = typeof params[1] === 'string' ? { encoding: params[1] } : configAt(params, 1);
  const commitment = commitmentIn(config);
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`');
  const encoding = oneOf(config['encoding'], TRANSACTION_ENCODINGS, 'json');
  const details = oneOf(config['transactionDetails'], ['full', 'accounts', 'signatures', 'none'] as const, 'full');
  const maxVersion = optionalU64In(config, 'maxSupportedTransactionVersion');
  const withRewards = config['rewards'] === undefined || config['rewards'] === null || booleanIn(config, 'rewards');
  requireBlock(chain, slot, chain.slot(commitment));
  const height = BigInt(slot) - chain.slot('processed') + chain.blockHeight('processed');
  const head = {
    blockHeight: jsonInteger(height),
    blockTime: chain.blockTime(BigInt(slot)),
    blockhash: chain.blockhashOf(BigInt(slot)),
    parentSlot: slot - 1,
    previousBlockhash: chain.blockhashOf(BigInt(slot - 1)),
    ...(withRewards ? { rewards: [] } : {}),
  };
  if (details === 'none') return head;
  const transactions = chain.blockTransactions(BigInt(slot));
  if (details === 'signatures') return { ...head, signatures: transactions.map(({ signature }) => signature) };
  const encoded = transactions.map((transaction) => {
    const row =
      details === 'accounts'
        ? encodeTransactionAccounts(transaction, maxVersion)
        : encodeTransaction(transaction, encoding, maxVersion);
    if (row === null) throw unsupportedVersion();
    return row;
  });
  return { ...head, transactions: encoded };
};

export const getBlockTime: Method = (chain, params) => {
  const slot = u64At(params, 0);
  requireBlock(chain, slot, chain.slot('processed'));
  return chain.blockTime(BigInt(slot));
};

function slotsBetween(chain: LedgerChain, from: number, to: number, commitment: 'confirmed' | 'finalized'): number[] {
  const first = Math.max(from, Number(chain.firstSlot()));
  const last = Math.min(to, Number(chain.slot(commitment)));
  return last < first ? [] : Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function listCommitment(config: Record<string, unknown>): 'confirmed' | 'finalized' {
  const commitment = commitmentIn(config);
  if (commitment === 'processed') throw invalidParams('Method does not support commitment below `confirmed`');
  return commitment;
}

export const getBlocks: Method = (chain, params) => {
  const start = u64At(params, 0);
  // The end is optional: the configuration may stand in its place.
  const hasEnd = typeof params[1] === 'number';
  const end = hasEnd ? u64Of(params[1]) : start + BLOCKS_RANGE_MAX;
  const commitment = listCommitment(configAt(params, hasEnd || params[1] === null ? 2 : 1));
  if (end < start) return [];
  if (end - start > BLOCKS_RANGE_MAX) throw invalidParams(`Slot range too large; max ${BLOCKS_RANGE_MAX}`);
  return slotsBetween(chain, start, end, commitment);
};
