// What a cluster of one node can truthfully say about itself.

import { LOCALNET_GENESIS_HASH } from '@hunter/solana/localnet-genesis';
import type { LedgerChain } from '../chain/ledger-chain.ts';
import { SLOTS_PER_EPOCH } from '../chain/virtual-machine.ts';
import { jsonInteger } from './json-number.ts';
import {
  addressOf,
  API_VERSION,
  configAt,
  type Method,
  readCommitment,
  stringAt,
  u64At,
  withContext,
  wrongType,
} from './params.ts';
import { invalidParams } from './rpc-error.ts';

const PRIORITIZATION_SLOTS = 150;

export const getHealth: Method = () => 'ok';

export const getVersion: Method = () => ({ 'feature-set': 0, 'solana-core': API_VERSION });

export const getSlot: Method = (chain, params) => jsonInteger(chain.slot(readCommitment(chain, configAt(params, 0))));

export const getBlockHeight: Method = (chain, params) =>
  jsonInteger(chain.blockHeight(readCommitment(chain, configAt(params, 0))));

export const getEpochInfo: Method = (chain, params) => {
  const commitment = readCommitment(chain, configAt(params, 0));
  const slot = Number(chain.slot(commitment));
  return {
    absoluteSlot: slot,
    blockHeight: jsonInteger(chain.blockHeight(commitment)),
    epoch: Math.floor(slot / SLOTS_PER_EPOCH),
    slotIndex: slot % SLOTS_PER_EPOCH,
    slotsInEpoch: SLOTS_PER_EPOCH,
    transactionCount: jsonInteger(chain.transactionCount()),
  };
};

export const getLatestBlockhash: Method = (chain, params) => {
  const commitment = readCommitment(chain, configAt(params, 0));
  const { blockhash, lastValidBlockHeight } = chain.latestBlockhashAt(commitment);
  return withContext(chain, commitment, { blockhash, lastValidBlockHeight: jsonInteger(lastValidBlockHeight) });
};

export const isBlockhashValid: Method = (chain, params) => {
  const blockhash = addressOf(stringAt(params, 0));
  const commitment = readCommitment(chain, configAt(params, 1));
  const slot = chain.blockhashSlot(blockhash);
  return withContext(chain, commitment, slot !== null && slot <= chain.slot(commitment));
};

/** Every transaction finds room in the next block, so nobody has had to pay for priority. */
export const getRecentPrioritizationFees: Method = (chain, params) => {
  const list = params[0];
  if (list !== undefined && list !== null) {
    if (!Array.isArray(list)) throw wrongType(list, 'a sequence');
    if (list.length > 128) throw invalidParams('Too many inputs provided; max 128');
    list.forEach(addressOf);
  }
  const newest = Number(chain.slot('processed'));
  return Array.from({ length: PRIORITIZATION_SLOTS }, (_, i) => ({
    prioritizationFee: 0,
    slot: newest - PRIORITIZATION_SLOTS + 1 + i,
  }));
};

export const getGenesisHash: Method = () => LOCALNET_GENESIS_HASH;
export const getIdentity: Method = (chain) => ({ identity: chain.identity });
export const getSlotLeader: Method = (chain) => chain.identity;

export const getTransactionCount: Method = (chain) => jsonInteger(chain.transactionCount());
export const minimumLedgerSlot: Method = (chain) => jsonInteger(chain.firstSlot());
export const getFirstAvailableBlock: Method = (chain) => jsonInteger(chain.firstSlot());
export const getVoteAccounts: Method = () => ({ current: [], delinquent: [] });

export const getClusterNodes: Method = (chain) => [
  {
    featureSet: 0,
    gossip: null,
    pubkey: chain.identity,
    pubsub: null,
    rpc: null,
    shredVersion: 0,
    tpu: null,
    version: API_VERSION,
  },
];

export const getEpochSchedule: Method = () => ({
  firstNormalEpoch: 0,
  firstNormalSlot: 0,
  leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
  slotsPerEpoch: SLOTS_PER_EPOCH,
  warmup: false,
});

const PERFORMANCE_SLOTS = 150;

export const getRecentPerformanceSamples: Method = (chain: LedgerChain, params) => {
  const limit = params.length === 0 || params[0] === null ? 1 : u64At(params, 0);
  if (limit > 720) throw invalidParams('Invalid limit; max 720');
  const slot = Number(chain.slot('finalized'));
  const count = chain.recentTransactionCount();
  return limit === 0
    ? []
    : [
        {
          numNonVoteTransactions: count,
          numSlots: PERFORMANCE_SLOTS,
          numTransactions: count,
          samplePeriodSecs: Math.round((PERFORMANCE_SLOTS * chain.slotMs) / 1000),
          slot,
        },
      ];
};
