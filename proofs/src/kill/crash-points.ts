/** Where a server can be told to die, by what it says at that moment to its database, its signer or its chain. */
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

type Step = { step: string; done: string; point: CrashPoint };

const posts = (of: CrashPoint['of'], kind: string): CrashPoint => ({
  of,
  at: 'statement',
  statement: 'insert into journal_entry',
  kind,
  when: 'before-commit',
});
const writes = (of: CrashPoint['of'], statement: string): CrashPoint => ({
  of,
  at: 'statement',
  statement,
  when: 'before-commit',
});

/** In the order in which a withdrawal and a deposit pass them; each is a point before it and one after it. */
const steps: readonly Step[] = [
  { step: 'hold', done: 'held', point: posts('withdrawal', 'withdrawal-hold') },
  { step: 'be signed', done: 'signed', point: { of: 'withdrawal', at: 'signer', method: 'sign', when: 'before' } },
  { step: 'be recorded', done: 'recorded', point: writes('withdrawal', 'insert into signed_transaction') },
  {
    step: 'be sent',
    done: 'sent',
    point: { of: 'withdrawal', at: 'chain', method: 'sendTransaction', when: 'before' },
  },
  { step: 'be posted', done: 'posted', point: posts('withdrawal', 'withdrawal') },
  { step: 'be noted', done: 'noted', point: writes('deposit', 'insert into wallet_movement') },
  { step: 'be posted', done: 'posted', point: posts('deposit', 'deposit') },
  {
    step: 'be passed',
    done: 'passed',
    point: { of: 'deposit', at: 'statement', statement: 'set read_until_signature', when: 'before' },
  },
];

function after(point: CrashPoint): CrashPoint {
  return point.at === 'statement'
    ? { ...point, when: point.when === 'before-commit' ? 'after-commit' : 'after' }
    : { ...point, when: 'after' };
}

export const crashPoints: Readonly<Record<string, CrashPoint>> = Object.fromEntries(
  steps.flatMap(({ step, done, point }) => [
    [`${point.of}: about to ${step}`, point],
    [`${point.of}: ${done}`, after(point)],
  ]),
);
