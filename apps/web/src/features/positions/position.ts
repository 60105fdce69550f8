import type { CallReply } from '@hunter/contract/calls';

export type Position = CallReply<'getMyPositions'>['lists'][number];
