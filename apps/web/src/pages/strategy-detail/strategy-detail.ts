import type { CallReply } from '@hunter/contract/calls';

export type StrategyDetail = CallReply<'getStrategyDetail'>;
