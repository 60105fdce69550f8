import type { CallReply } from '@hunter/contract/calls';

export type Withdrawal = CallReply<'withdrawal'>;
export type WithdrawnAmount = Pick<Withdrawal, 'amount' | 'tokenSymbol' | 'tokenContractAddress'>;
