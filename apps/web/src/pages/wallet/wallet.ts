import type { CallReply } from '@hunter/contract/calls';

export type Wallet = CallReply<'getWallet'>;
