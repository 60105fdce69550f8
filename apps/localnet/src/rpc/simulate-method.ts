import type { Account } from '../chain/chain.ts';
import type { LedgerChain } from '../chain/ledger-chain.ts';
import { tokenBalances } from '../chain/token-state.ts';
import { accountViewIn, encodeAccount } from './account-encoding.ts';
import { jsonInteger } from './json-number.ts';
import {
  addressOf,
  booleanIn,
  type Config,
  configAt,
  type Method,
  readCommitment,
  stringAt,
  withContext,
  wrongType,
} from './params.ts';
import { parseInstruction } from './parsed-instruction.ts';
import { invalidParams, RpcError } from './rpc-error.ts';
import { decodeWire, readTransaction } from './transaction-methods.ts';
import { loadedWritableCount, returnDataJson, tokenBalanceJson } from './transaction-encoding.ts';

/** What each loaded account counts for besides its data. */
const ACCOUNT_OVERHEAD_BYTES = 64;

type ReadAccount = (address: string) => Account | null;

function wantedAccounts(config: Config): { addresses: string[]; config: Config } | null {
  const value = config['accounts'];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object') throw wrongType(value, 'struct RpcSimulateTransactionAccountsConfig');
  const accounts = value as Config;
  const addresses = accounts['addresses'];
  if (!Array.isArray(addresses)) throw wrongType(addresses, 'a sequence');
  return { addresses: addresses.map(addressOf), config: { encoding: accounts['encoding'] } };
}

function refusedValue(err: string, accounts: null[] | null): object {
  return {
    accounts,
    err,
    fee: null,
    innerInstructions: null,
    loadedAccountsDataSize: 0,
    loadedAddresses: null,
    logs: [],
    postBalances: null,
    postTokenBalances: null,
    preBalances: null,
    preTokenBalances: null,
    replacementBlockhash: null,
    returnData: null,
    unitsConsumed: 0,
  };
}

export const simulateTransaction: Method = (chain: LedgerChain, params) => {
  const text = stringAt(params, 0);
  const config = configAt(params, 1);
  const sigVerify = booleanIn(config, 'sigVerify');
  const replaceRecentBlockhash = booleanIn(config, 'replaceRecentBlockhash');
  const withInner = booleanIn(config, 'innerInstructions');
  if (sigVerify && replaceRecentBlockhash) throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
  const commitment = readCommitment(chain, config);
  const wanted = wantedAccounts(config);
  const transaction = readTransaction(decodeWire(text, config, 'solana_transaction::versioned::VersionedTransaction'));
  if (wanted !== null && wanted.addresses.length > transaction.staticKeys.length + transaction.lookups.length * 256) {
    throw invalidParams('Too many accounts provided; max ' + transaction.staticKeys.length);
  }
  const outcome = chain.simulate(transaction, { sigVerify, replaceRecentBlockhash });
  const replacementBlockhash = replaceRecentBlockhash ? chain.latestBlockhashAt(commitment) : null;
  if (outcome.kind === 'refused') {
    const none = wanted === null ? null : wanted.addresses.map(() => null);
    return withContext(chain, commitment, refusedValue(outcome.err, none));
  }
  const { simulation, accountKeys, before } = outcome;
  if (simulation.err === 'SignatureFailure') throw new RpcError(-32003, 'Transaction signature verification failure');
  const after: ReadAccount = (address) => simulation.postAccounts.get(address) ?? before(address);
  const view = wanted === null ? null : accountViewIn(wanted.config, 'base64');
  let loadedBytes = 0;
  for (const key of accountKeys) {
    const account = before(key);
    if (account !== null) loadedBytes += account.data.length + ACCOUNT_OVERHEAD_BYTES;
  }
  const statics = transaction.staticKeys.length;
  const loadedEnd = statics + loadedWritableCount(transaction);
  return withContext(chain, commitment, {
    accounts:
      wanted === null || view === null
        ? null
        : wanted.addresses.map((address) => {
            const account = simulation.err === null ? after(address) : null;
            return account === null ? null : encodeAccount(account, view, after);
          }),
    err: simulation.err,
    fee: jsonInteger(outcome.fee),
    innerInstructions: withInner
      ? simulation.inner.flatMap((instructions, index) =>
          instructions.length === 0
            ? []
            : [
                {
                  index,
                  instructions: instructions.map((entry) => parseInstruction(entry, accountKeys, entry.stackHeight)),
                },
              ],
        )
      : null,
    loadedAccountsDataSize: loadedBytes,
    loadedAddresses: { readonly: accountKeys.slice(loadedEnd), writable: accountKeys.slice(statics, loadedEnd) },
    logs: simulation.logs,
    postBalances: accountKeys.map((key) => jsonInteger(after(key)?.lamports ?? 0n)),
    postTokenBalances: tokenBalances(accountKeys, after).map(tokenBalanceJson),
    preBalances: accountKeys.map((key) => jsonInteger(before(key)?.lamports ?? 0n)),
    preTokenBalances: tokenBalances(accountKeys, before).map(tokenBalanceJson),
    replacementBlockhash:
      replacementBlockhash === null
        ? null
        : {
            blockhash: replacementBlockhash.blockhash,
            lastValidBlockHeight: jsonInteger(replacementBlockhash.lastValidBlockHeight),
          },
    returnData: returnDataJson(simulation.returnData),
    unitsConsumed: jsonInteger(simulation.computeUnits),
  });
};
