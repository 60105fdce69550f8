/** `swap` covers closing token accounts, `transfer` commits and returns. */
export const STOP_KINDS = ['swap', 'transfer', 'withdrawal', 'export'] as const;
export type StopKind = (typeof STOP_KINDS)[number];
