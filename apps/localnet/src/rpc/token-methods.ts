import type { Account, Commitment } from '../chain/chain.ts';
import type { LedgerChain } from '../chain/ledger-chain.ts';
import {
  isMint,
  isTokenAccount,
  isTokenProgram,
  mintDecimals,
  mintSupply,
  tokenAmount,
  tokenMint,
} from '../chain/token-state.ts';
import { accountViewIn, encodeAccount } from './account-encoding.ts';
import { addressAt, addressOf, configAt, type Method, readCommitment, requireCount, withContext } from './params.ts';
import { invalidParams } from './rpc-error.ts';
import { uiTokenAmount } from './token-amount.ts';

const LARGEST_ACCOUNTS = 20;

function mintAt(chain: LedgerChain, address: string, commitment: Commitment): Account {
  const account = chain.accountAt(address, commitment);
  if (account === null) throw invalidParams('Invalid param: could not find mint');
  if (!isTokenProgram(account.owner) || !isMint(account)) throw invalidParams('Invalid param: not a Token mint');
  return account;
}

export const getTokenAccountBalance: Method = (chain, params) => {
  const address = addressAt(params, 0);
  const commitment = readCommitment(chain, configAt(params, 1));
  const account = chain.accountAt(address, commitment);
  if (account === null) throw invalidParams('Invalid param: could not find account');
  if (!isTokenAccount(account)) throw invalidParams('Invalid param: not a Token account');
  const mint = mintAt(chain, tokenMint(account.data), commitment);
  return withContext(chain, commitment, uiTokenAmount(tokenAmount(account.data), mintDecimals(mint.data)));
};

export const getTokenSupply: Method = (chain, params) => {
  const address = addressAt(params, 0);
  const commitment = readCommitment(chain, configAt(params, 1));
  const mint = mintAt(chain, address, commitment);
  return withContext(chain, commitment, uiTokenAmount(mintSupply(mint.data), mintDecimals(mint.data)));
};

export const getTokenLargestAccounts: Method = (chain, params) => {
  const address = addressAt(params, 0);
  const commitment = readCommitment(chain, configAt(params, 1));
  const mint = mintAt(chain, address, commitment);
  const decimals = mintDecimals(mint.data);
  const largest = chain
    .tokenAccountsOfMint(address, commitment)
    .map(([account, { data }]) => ({ address: account, amount: tokenAmount(data) }))
    .filter(({ amount }) => amount > 0n)
    .sort((a, b) => (a.amount < b.amount ? 1 : -1))
    .slice(0, LARGEST_ACCOUNTS)
    .map(({ address: account, amount }) => ({ address: account, ...uiTokenAmount(amount, decimals) }));
  return withContext(chain, commitment, largest);
};

/** The second parameter names a mint or a token program; both narrow the accounts found. */
function tokenFilter(chain: LedgerChain, value: unknown, commitment: Commitment): (account: Account) => boolean {
  if (typeof value === 'object' && value !== null && 'mint' in value) {
    const mint = addressOf(value.mint);
    mintAt(chain, mint, commitment);
    return (account) => tokenMint(account.data) === mint;
  }
  if (typeof value === 'object' && value !== null && 'programId' in value) {
    const program = addressOf(value.programId);
    if (!isTokenProgram(program)) throw invalidParams('Invalid param: unrecognized Token program id');
    return (account) => account.owner === program;
  }
  throw invalidParams('Invalid params: unknown variant, expected `mint` or `programId`.');
}

export const getTokenAccountsByOwner: Method = (chain, params) => {
  requireCount(params, 2);
  const owner = addressAt(params, 0);
  const config = configAt(params, 2);
  const view = accountViewIn(config);
  const commitment = readCommitment(chain, config);
  const fits = tokenFilter(chain, params[1], commitment);
  const read = (key: string): Account | null => chain.accountAt(key, commitment);
  const found = chain
    .tokenAccountsOfOwner(owner, commitment)
    .filter(([, account]) => fits(account))
    .map(([pubkey, account]) => ({ account: encodeAccount(account, view, read), pubkey }));
  return withContext(chain, commitment, found);
};
