/** Where a server can be told to die, by what it says at that moment. */
export type CrashPoint = { of: 'withdrawal' | 'deposit' } & (
  | {
      at: 'statement';
      /** Part of the statement; `kind` is one of the journal's kinds where that is what it posts. */
      statement: string;
      kind?: string;
      when: 'before' | 'after' | 'before-commit' | 'after-commit';
    }
  | { at: 'chain' | 'signer'; method: string; when: 'before' | 'after' }
);

const journal = 'insert into journal_entry';

/** In the order in which a withdrawal and a deposit pass them. */
export const crashPoints: Readonly<Record<string, CrashPoint>> = {
  'withdrawal: about to hold': {
    of: 'withdrawal',
    at: 'statement',
    statement: journal,
    kind: 'withdrawal-hold',
    when: 'before-commit',
  },
  'withdrawal: held': {
    of: 'withdrawal',
    at: 'statement',
    statement: journal,
    kind: 'withdrawal-hold',
    when: 'after-commit',
  },
  'withdrawal: about to be signed': { of: 'withdrawal', at: 'signer', method: 'sign', when: 'before' },
  'withdrawal: signed': { of: 'withdrawal', at: 'signer', method: 'sign', when: 'after' },
  'withdrawal: about to be recorded': {
    of: 'withdrawal',
    at: 'statement',
    statement: 'insert into withdrawal_attempt',
    when: 'before-commit',
  },
  'withdrawal: recorded': {
    of: 'withdrawal',
    at: 'statement',
    statement: 'insert into withdrawal_attempt',
    when: 'after-commit',
  },
  'withdrawal: about to be sent': { of: 'withdrawal', at: 'chain', method: 'sendTransaction', when: 'before' },
  'withdrawal: sent': { of: 'withdrawal', at: 'chain', method: 'sendTransaction', when: 'after' },
  'withdrawal: about to be posted': {
    of: 'withdrawal',
    at: 'statement',
    statement: journal,
    kind: 'withdrawal',
    when: 'before-commit',
  },
  'withdrawal: posted': {
    of: 'withdrawal',
    at: 'statement',
    statement: journal,
    kind: 'withdrawal',
    when: 'after-commit',
  },
  'deposit: about to be noted': {
    of: 'deposit',
    at: 'statement',
    statement: 'insert into wallet_movement',
    when: 'before-commit',
  },
  'deposit: noted': { of: 'deposit', at: 'statement', statement: 'insert into wallet_movement', when: 'after-commit' },
  'deposit: about to be posted': {
    of: 'deposit',
    at: 'statement',
    statement: journal,
    kind: 'deposit',
    when: 'before-commit',
  },
  'deposit: posted': { of: 'deposit', at: 'statement', statement: journal, kind: 'deposit', when: 'after-commit' },
  'deposit: about to be passed': {
    of: 'deposit',
    at: 'statement',
    statement: 'set read_until_signature',
    when: 'before',
  },
  'deposit: passed': { of: 'deposit', at: 'statement', statement: 'set read_until_signature', when: 'after' },
};
