import type { CallReply } from '@hunter/contract/calls';

export type ChainAddress = CallReply<'getChainAddress'>;
