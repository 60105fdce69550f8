import type { CallReply } from '@hunter/contract/calls';

export type Strategy = CallReply<'getStrategyList'>['lists'][number];
