import type { CallReply } from '@hunter/contract/calls';

export type WalletFollow = CallReply<'followWallet'>;
