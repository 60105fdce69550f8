import type { CallReply } from '@hunter/contract/calls';

export type Withdrawal = CallReply<'withdrawal'>;
