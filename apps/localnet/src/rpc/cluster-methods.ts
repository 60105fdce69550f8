// What a cluster of one node can truthfully say about itself.

import { LOCALNET_GENESIS_HASH } from '@hunter/solana/localnet-genesis';
import { SLOTS_PER_EPOCH } from '../chain/virtual-machine.ts';
import { jsonInteger } from './json-number.ts';
import { addressOf, API_VERSION, configAt, type Method, readCommitment, stringAt, withContext } from './params.ts';

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

export const getGenesisHash: Method = () => LOCALNET_GENESIS_HASH;

export const getTransactionCount: Method = (chain) => jsonInteger(chain.transactionCount());
export const minimumLedgerSlot: Method = (chain) => jsonInteger(chain.firstSlot());
export const getFirstAvailableBlock: Method = (chain) => jsonInteger(chain.firstSlot());
export const getVoteAccounts: Method = () => ({ current: [], delinquent: [] });
