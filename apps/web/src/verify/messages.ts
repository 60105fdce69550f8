// What page and worker say to each other.
import type { Figure } from '@hunter/verify/report';
import type { CopyCheck, CopyProof } from '@hunter/verify/verify-copy';
import type { Progress } from '@hunter/verify/verify-strategy';

/** `web` is where the product is; `rpc` the node that is asked, null for the product's own. */
export type Question = { web: string; rpc: string | null } & (
  | { kind: 'strategy'; slug: string }
  | { kind: 'copy'; proof: CopyProof }
);

export type StrategyAnswer = { kind: 'strategy'; name: string; slug: string; wallet: string; figures: Figure[] };
export type CopyAnswer = { kind: 'copy'; check: CopyCheck; proof: CopyProof };
export type Failure = { kind: 'failed'; where: 'product' | 'node' | 'chain' | 'page'; detail: string };

export type Answer = { kind: 'progress'; progress: Progress } | StrategyAnswer | CopyAnswer | Failure;
