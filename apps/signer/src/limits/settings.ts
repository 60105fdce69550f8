import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { replaceFile } from '../storage/durable-file.ts';
import { deny } from '../denial.ts';
import type { StopKind } from './stop-switch.ts';

// The signer's own configuration. Stricter holds from the start that brings it; looser waits, so that whoever can start the
// signer with other settings, or has an operator's token, does not gain by it before the others notice. A change of a setting
// takes effect at the first start after its time, the release of the kill switch by itself.

/** `set`: anything but nothing. */
type Looser = 'higher' | 'lower' | 'other' | 'set';

/** Everything that says how much may leave, to whom and in what time. */
const GUARDED = {
  SIGNER_DAILY_LIMIT_SOL: { default: '500', looser: 'higher' },
  SIGNER_LARGE_SOL: { default: '50', looser: 'higher' },
  SIGNER_WITHDRAWALS_DAILY_TOTAL_SOL: { default: '20000', looser: 'higher' },
  SIGNER_SWAP_DAILY_SOL: { default: '5000', looser: 'higher' },
  SIGNER_SWAP_DAILY_TOTAL_SOL: { default: '500000', looser: 'higher' },
  SIGNER_EXPORTS_DAILY: { default: '200', looser: 'higher' },
  SIGNER_RESETS_DAILY: { default: '200', looser: 'higher' },
  SIGNER_FORGED_HOURLY: { default: '100', looser: 'higher' },
  SIGNER_EXPORT_DELAY_SECONDS: { default: '86400', looser: 'lower' },
  SIGNER_COMMIT_FINAL_SECONDS: { default: '20', looser: 'lower' },
  SIGNER_RETURN_DAILY_SOL: { default: '1000', looser: 'higher' },
  SIGNER_RETURN_DAILY_TOTAL_SOL: { default: '20000', looser: 'higher' },
  SIGNER_STRATEGY_TURNOVER: { default: '3', looser: 'higher' },
  SIGNER_RECOVERY_SECONDS: { default: '259200', looser: 'lower' },
  SIGNER_RECOVERIES_MAX: { default: '50', looser: 'higher' },
  SIGNER_CHANGE_DELAY_SECONDS: { default: '86400', looser: 'lower' },
  SIGNER_ORIGINS: { default: '', looser: 'other' },
  SIGNER_RP_ID: { default: '', looser: 'other' },
  SIGNER_VENUE_KEY: { default: '', looser: 'other' },
  // A clock that the caller winds on is the end of every hold.
  SIGNER_PAST: { default: '', looser: 'set' },
} as const satisfies Record<string, { default: string; looser: Looser }>;

type SettingName = keyof typeof GUARDED;
/** How many operators there are; no variable of its own, but guarded like one. */
const OPERATORS = 'operators';

export type Change = {
  id: string;
  what: { kind: 'setting'; name: string; value: string } | { kind: 'kill-switch-off'; stop: StopKind | null };
  /** Not before. */
  from: number;
  /** The operators who agreed, by number. */
  by: number[];
};

type Content = { inForce: Record<string, string>; changes: Change[] };

const CHANGES_MAX = 100;

export class Settings {
  readonly #path: string;
  readonly #now: () => number;
  readonly #operators: number;
  #content: Content;

  private constructor(path: string, now: () => number, content: Content, operators: number) {
    this.#path = path;
    this.#now = now;
    this.#content = content;
    this.#operators = operators;
  }

  /** Compares what is set with what is in force. The first start takes everything as it is set. */
  static open(path: string, env: NodeJS.ProcessEnv, now: () => number): Settings {
    const operators = env.SIGNER_OPERATOR_TOKEN_2 ? 2 : 1;
    const wanted = new Map<string, string>([[OPERATORS, String(operators)]]);
    for (const [name, { default: otherwise }] of Object.entries(GUARDED)) wanted.set(name, env[name] || otherwise);
    if (!existsSync(path)) {
      const first = new Settings(path, now, { inForce: Object.fromEntries(wanted), changes: [] }, operators);
      first.#save();
      return first;
    }
    const content = readContent(path);
    const before = Number(content.inForce[OPERATORS] ?? '1');
    const settings = new Settings(path, now, content, Math.max(before, operators));
    settings.#takeDueSettings();
    for (const [name, value] of wanted) settings.#want(name, value);
    settings.#save();
    return settings;
  }

  /** The environment with the settings that are in force. */
  effective(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    const inForce = Object.entries(this.#content.inForce).filter(([name, value]) => name !== OPERATORS && value !== '');
    const others = Object.entries(env).filter(([name]) => !(name in GUARDED));
    return Object.fromEntries([...others, ...inForce]);
  }

  get changes(): readonly Change[] {
    return this.#content.changes;
  }

  /** Null where nothing has to wait: then the caller releases the switch. */
  askKillSwitchOff(stop: StopKind | null, operator: number): Change | null {
    const known = this.#content.changes.find(({ what }) => what.kind === 'kill-switch-off' && what.stop === stop);
    if (known !== undefined) return this.confirm(known.id, operator);
    const delayMs = this.#delayMs();
    if (delayMs === 0 && this.#operators === 1) return null;
    return this.#add({ kind: 'kill-switch-off', stop }, delayMs, [operator]);
  }

  confirm(id: string, operator: number): Change {
    const change = this.#content.changes.find((known) => known.id === id);
    if (change === undefined) return deny('POLICY_INVALID', 'no such change waits');
    if (!change.by.includes(operator)) change.by.push(operator);
    this.#save();
    return change;
  }

  /** Keeping things as they are needs one operator. */
  cancel(id: string): Change {
    const change = this.#content.changes.find((known) => known.id === id);
    if (change === undefined) return deny('POLICY_INVALID', 'no such change waits');
    this.#drop([change]);
    return change;
  }

  /**
   * Switches on what was about to be switched off; answers which releases no longer wait. Too many resets can be the doing of anybody
   * with many accounts, who would keep everything stopped: they drop no release of another kind.
   */
  forgetKillSwitchOff(stopped: StopKind | null): Change[] {
    const releases = this.#content.changes.filter(
      ({ what }) =>
        what.kind === 'kill-switch-off' && (stopped !== 'reset' || what.stop === null || what.stop === 'reset'),
    );
    this.#drop(releases);
    return releases;
  }

  /** Releases of the kill switch whose time has come; each is handed out once. */
  takeDueReleases(): (StopKind | null)[] {
    const due = this.#content.changes.filter((change) => change.what.kind === 'kill-switch-off' && this.#isDue(change));
    this.#drop(due);
    return due.flatMap(({ what }) => (what.kind === 'kill-switch-off' ? [what.stop] : []));
  }

  #drop(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    this.#content.changes = this.#content.changes.filter((change) => !changes.includes(change));
    this.#save();
  }

  #want(name: string, value: string): void {
    const { inForce } = this.#content;
    const current = inForce[name];
    const isWaiting = (change: Change): boolean => change.what.kind === 'setting' && change.what.name === name;
    const waiting = this.#content.changes.find(isWaiting);
    if (waiting?.what.kind === 'setting' && waiting.what.value === value) return;
    // What is no longer wanted no longer waits.
    this.#content.changes = this.#content.changes.filter((change) => !isWaiting(change));
    if (current === value) return;
    const delayMs = this.#delayMs();
    const isFree = current === undefined || (delayMs === 0 && this.#operators === 1);
    if (isFree || !isLooser(name, current, value)) inForce[name] = value;
    else this.#add({ kind: 'setting', name, value }, delayMs, []);
  }

  #add(what: Change['what'], delayMs: number, by: number[]): Change {
    if (this.#content.changes.length >= CHANGES_MAX) deny('POLICY_INVALID', 'too many changes wait');
    const change: Change = { id: randomUUID(), what, from: this.#now() + delayMs, by };
    this.#content.changes.push(change);
    this.#save();
    return change;
  }

  #takeDueSettings(): void {
    this.#content.changes = this.#content.changes.filter((change) => {
      if (change.what.kind !== 'setting' || !this.#isDue(change)) return true;
      this.#content.inForce[change.what.name] = change.what.value;
      return false;
    });
  }

  /** Where one of two operators is gone, both cannot agree that he is: that waits only. */
  #isDue({ what, from, by }: Change): boolean {
    const isAboutOperators = what.kind === 'setting' && what.name === OPERATORS;
    return from <= this.#now() && (by.length >= this.#operators || this.#operators === 1 || isAboutOperators);
  }

  #delayMs(): number {
    return Number(this.#content.inForce.SIGNER_CHANGE_DELAY_SECONDS ?? '0') * 1_000;
  }

  #save(): void {
    replaceFile(this.#path, JSON.stringify(this.#content));
  }
}

function readContent(path: string): Content {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Content;
  } catch (cause) {
    throw new Error(`${path} is damaged: put it back from the backup`, { cause });
  }
}

function isLooser(name: string, before: string, after: string): boolean {
  const looser: Looser = name === OPERATORS ? 'lower' : GUARDED[name as SettingName].looser;
  if (looser === 'other') return true;
  if (looser === 'set') return after !== '';
  // Written so that what is no number is looser.
  return looser === 'higher' ? !(Number(after) <= Number(before)) : !(Number(after) >= Number(before));
}
