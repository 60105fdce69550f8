import type { CallReply } from '@hunter/contract/calls';

export type ChainTransaction = CallReply<'getChainTransaction'>;
