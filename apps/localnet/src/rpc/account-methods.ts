import { decodeAddress, tryDecodeBase58 } from '../chain/address-text.ts';
import type { Account } from '../chain/chain.ts';
import { isTokenAccount, isTokenProgram } from '../chain/token-state.ts';
import { accountViewIn, encodeAccount } from './account-encoding.ts';
import { jsonInteger } from './json-number.ts';
import {
  addressAt,
  addressOf,
  booleanIn,
  type Config,
  configAt,
  type Method,
  readCommitment,
  requireCount,
  u64At,
  u64Of,
  withContext,
  wrongType,
} from './params.ts';
import { invalidParams } from './rpc-error.ts';

const MULTIPLE_ACCOUNTS_MAX = 100;
const FILTERS_MAX = 4;
const MEMCMP_BYTES_MAX = 128;

type AccountFilter = (account: Account) => boolean;

export const getBalance: Method = (chain, params) => {
  const address = addressAt(params, 0);
  const commitment = readCommitment(chain, configAt(params, 1));
  return withContext(chain, commitment, jsonInteger(chain.accountAt(address, commitment)?.lamports ?? 0n));
};

export const getAccountInfo: Method = (chain, params) => {
  const address = addressAt(params, 0);
  const config = configAt(params, 1);
  const view = accountViewIn(config);
  const commitment = readCommitment(chain, config);
  const account = chain.accountAt(address, commitment);
  const read = (key: string): Account | null => chain.accountAt(key, commitment);
  return withContext(chain, commitment, account === null ? null : encodeAccount(account, view, read));
};

export const getMultipleAccounts: Method = (chain, params) => {
  requireCount(params, 1);
  const list = params[0];
  if (!Array.isArray(list)) throw wrongType(list, 'a sequence');
  if (list.length > MULTIPLE_ACCOUNTS_MAX)
    throw invalidParams(`Too many inputs provided; max ${MULTIPLE_ACCOUNTS_MAX}`);
  const addresses = list.map(addressOf);
  const config = configAt(params, 1);
  const view = accountViewIn(config, 'base64');
  const commitment = readCommitment(chain, config);
  const read = (key: string): Account | null => chain.accountAt(key, commitment);
  const accounts = addresses.map((address) => {
    const account = read(address);
    return account === null ? null : encodeAccount(account, view, read);
  });
  return withContext(chain, commitment, accounts);
};

function memcmpFilter(value: unknown): AccountFilter {
  if (typeof value !== 'object' || value === null) throw wrongType(value, 'struct Memcmp');
  const { offset: rawOffset, bytes: raw, encoding } = value as Config;
  const offset = u64Of(rawOffset);
  let bytes: Uint8Array | null;
  if (Array.isArray(raw)) bytes = Uint8Array.from(raw as number[]);
  else if (typeof raw !== 'string') throw wrongType(raw, 'a string');
  else if (encoding === 'base64') bytes = Buffer.from(raw, 'base64');
  else bytes = raw.length > 175 ? null : tryDecodeBase58(raw);
  if (bytes === null) throw invalidParams('Invalid param: Invalid');
  if (bytes.length > MEMCMP_BYTES_MAX) throw invalidParams('Invalid param: data too large');
  const wanted = bytes;
  return ({ data }) =>
    data.length >= offset + wanted.length &&
    Buffer.compare(data.subarray(offset, offset + wanted.length), wanted) === 0;
}

export function accountFiltersIn(config: Config): AccountFilter[] {
  const list = config['filters'];
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw wrongType(list, 'a sequence');
  if (list.length > FILTERS_MAX) throw invalidParams(`Too many filters provided; max ${FILTERS_MAX}`);
  return list.map((filter: unknown): AccountFilter => {
    if (filter === 'tokenAccountState') return isTokenAccount;
    if (typeof filter !== 'object' || filter === null) throw wrongType(filter, 'enum RpcFilterType');
    if ('dataSize' in filter) {
      const size = u64Of(filter.dataSize);
      return ({ data }) => data.length === size;
    }
    if ('memcmp' in filter) return memcmpFilter(filter.memcmp);
    if ('tokenAccountState' in filter) return isTokenAccount;
    throw invalidParams('Invalid params: unknown filter, expected one of `dataSize`, `memcmp`, `tokenAccountState`.');
  });
}

// A filter on the mint or the holder of token accounts is answered from the index instead of a walk over all.
function indexedAddress(config: Config, offset: number): string | null {
  const list = config['filters'];
  if (!Array.isArray(list)) return null;
  for (const filter of list as (Config | string)[]) {
    if (typeof filter !== 'object' || filter === null) continue;
    const memcmp = filter['memcmp'] as Config | undefined;
    if (memcmp?.['offset'] !== offset || typeof memcmp['bytes'] !== 'string') continue;
    if (memcmp['encoding'] !== undefined && memcmp['encoding'] !== 'base58') continue;
    if (decodeAddress(memcmp['bytes']) !== null) return memcmp['bytes'];
  }
  return null;
}

export const getProgramAccounts: Method = (chain, params) => {
  const program = addressAt(params, 0);
  const config = configAt(params, 1);
  const view = accountViewIn(config);
  const filters = accountFiltersIn(config);
  const commitment = readCommitment(chain, config);
  const read = (key: string): Account | null => chain.accountAt(key, commitment);
  const mint = isTokenProgram(program) ? indexedAddress(config, 0) : null;
  const owner = isTokenProgram(program) ? indexedAddress(config, 32) : null;
  let found: [string, Account][];
  if (mint !== null) found = chain.tokenAccountsOfMint(mint, commitment);
  else if (owner !== null) found = chain.tokenAccountsOfOwner(owner, commitment);
  else found = chain.programAccounts(program, commitment);
  const accounts = found
    .filter(([, account]) => account.owner === program && filters.every((fits) => fits(account)))
    .map(([pubkey, account]) => ({ account: encodeAccount(account, view, read), pubkey }));
  return booleanIn(config, 'withContext') ? withContext(chain, commitment, accounts) : accounts;
};

export const getMinimumBalanceForRentExemption: Method = (chain, params) =>
  jsonInteger(chain.rentExemptLamports(Math.min(u64At(params, 0), 2 ** 32)));

export const getSupply: Method = (chain, params) => {
  const config = configAt(params, 0);
  const commitment = readCommitment(chain, config);
  let total = 0n;
  for (const [, account] of chain.allAccounts()) total += account.lamports;
  const held = chain.accountAt(chain.faucetAddress, commitment)?.lamports ?? 0n;
  return withContext(chain, commitment, {
    total: jsonInteger(total),
    circulating: jsonInteger(total - held),
    nonCirculating: jsonInteger(held),
    nonCirculatingAccounts: booleanIn(config, 'excludeNonCirculatingAccountsList') ? [] : [chain.faucetAddress],
  });
};
