/** What happened to an account and is told to its owner: in the app, and by mail. Kinds never change their meaning. */
export type SecurityEvent =
  | { kind: 'new-device'; device: string; address: string }
  | { kind: 'password-changed' }
  | { kind: 'password-reset' }
  | { kind: 'reset-undone' }
  | { kind: 'frozen' }
  | { kind: 'unfrozen' }
  | { kind: 'factor-added'; name: string }
  | { kind: 'factor-removed'; name: string }
  /** Somebody has said that the factors are lost: from `until` on they count no more. */
  | { kind: 'factor-recovery-started'; until: number }
  | { kind: 'factor-recovery-canceled' }
  | { kind: 'api-key-created'; name: string; scope: 'read' | 'trade' }
  /** What is told to the owner is told in that chat, too. */
  | { kind: 'telegram-linked'; name: string }
  | { kind: 'factors-recovered' }
  | { kind: 'recovery-codes-renewed' }
  | { kind: 'login-rule-changed' }
  | { kind: 'key-exported' }
  | { kind: 'key-export-held'; until: number }
  | ({ kind: 'withdrawal-requested' } & ToldWithdrawal)
  | ({ kind: 'withdrawal-held'; until: number; withdrawalId: string } & ToldWithdrawal)
  | ({ kind: 'withdrawal-sent'; hash: string } & ToldWithdrawal)
  | ({ kind: 'withdrawal-failed' } & ToldWithdrawal)
  | ({ kind: 'withdrawal-canceled' } & ToldWithdrawal)
  | { kind: 'external-outflow'; amount: string; hash: string }
  /** The issuer of a token took it, which needs no key of the wallet. */
  | { kind: 'issuer-outflow'; amount: string; hash: string }
  | { kind: 'address-saved'; toWallet: string; label: string }
  | { kind: 'address-removed'; toWallet: string; label: string }
  | { kind: 'limits-raised'; from: number }
  | { kind: 'operator-read'; operator: string; reason: string };

/** `amount` with its unit, such as `1.5 SOL`. */
export type ToldWithdrawal = { amount: string; toWallet: string };

/** What is also mailed. */
export type MailedEvent = Exclude<SecurityEvent, { kind: 'operator-read' }>;
