// Every method the server answers, by its name on the wire.

import * as accounts from './account-methods.ts';
import * as blocks from './block-methods.ts';
import * as cluster from './cluster-methods.ts';
import type { Method } from './params.ts';
import { simulateTransaction } from './simulate-method.ts';
import * as tokens from './token-methods.ts';
import * as transactions from './transaction-methods.ts';

export const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['getBalance', accounts.getBalance],
  ['getAccountInfo', accounts.getAccountInfo],
  ['getMultipleAccounts', accounts.getMultipleAccounts],
  ['getProgramAccounts', accounts.getProgramAccounts],
  ['getMinimumBalanceForRentExemption', accounts.getMinimumBalanceForRentExemption],
  ['getSupply', accounts.getSupply],
  ['getTokenAccountBalance', tokens.getTokenAccountBalance],
  ['getTokenAccountsByOwner', tokens.getTokenAccountsByOwner],
  ['getTokenSupply', tokens.getTokenSupply],
  ['getTokenLargestAccounts', tokens.getTokenLargestAccounts],
  ['sendTransaction', transactions.sendTransaction],
  ['simulateTransaction', simulateTransaction],
  ['getSignatureStatuses', transactions.getSignatureStatuses],
  ['getSignaturesForAddress', transactions.getSignaturesForAddress],
  ['getTransaction', transactions.getTransaction],
  ['getFeeForMessage', transactions.getFeeForMessage],
  ['requestAirdrop', transactions.requestAirdrop],
  ['getBlock', blocks.getBlock],
  ['getBlockTime', blocks.getBlockTime],
  ['getBlocks', blocks.getBlocks],
  ['getHealth', cluster.getHealth],
  ['getVersion', cluster.getVersion],
  ['getSlot', cluster.getSlot],
  ['getBlockHeight', cluster.getBlockHeight],
  ['getEpochInfo', cluster.getEpochInfo],
  ['getLatestBlockhash', cluster.getLatestBlockhash],
  ['isBlockhashValid', cluster.isBlockhashValid],
  ['getGenesisHash', cluster.getGenesisHash],
  ['getTransactionCount', cluster.getTransactionCount],
  ['minimumLedgerSlot', cluster.minimumLedgerSlot],
  ['getFirstAvailableBlock', cluster.getFirstAvailableBlock],
  ['getVoteAccounts', cluster.getVoteAccounts],
]);
