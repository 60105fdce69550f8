import type { CallReply } from '@hunter/contract/calls';

export type Withdrawal = CallReply<'withdrawal'>;
export type WithdrawnAmount = Pick<Withdrawal, 'amount' | 'tokenSymbol' | 'tokenContractAddress'>;

/** What the account of the destination locks up is known but for mints that nobody here can read. */
export function rentLabel({ accountRentIsMaximum }: Pick<Withdrawal, 'accountRentIsMaximum'>) {
  return accountRentIsMaximum ? 'account.withdrawDialog.accountRentMaximum' : 'account.withdrawDialog.accountRent';
}
