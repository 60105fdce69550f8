import type { Alarm } from '../alarm.ts';
import { deny } from '../denial.ts';
import type { Change, Settings } from '../limits/settings.ts';
import type { SignerState } from '../memory/signer-state.ts';
import { STOP_KINDS, type StopKind } from '../limits/stop-switch.ts';

/** The kill switch: on at once and by anybody, by itself where something is wrong; off by operators, after the delay of changes. */
export class Stops {
  readonly #state: SignerState;
  readonly #settings: Settings;
  readonly #alarm: Alarm;

  constructor(deps: { state: SignerState; settings: Settings; alarm: Alarm }) {
    this.#state = deps.state;
    this.#settings = deps.settings;
    this.#alarm = deps.alarm;
  }

  refuse(kind: StopKind): void {
    if (this.#state.stopped.has(kind)) deny('KILL_SWITCH', 'signing is stopped');
  }

  /** Because of an anomaly. Without a kind it is about all of them. */
  async trip(kind: StopKind | null, why: string): Promise<void> {
    await this.#switchOn(kind, why);
  }

  /** Whoever has no number is a server. */
  switchOn(kind: StopKind | null, operator: number | null): Promise<void> {
    return this.#switchOn(kind, operator === null ? 'switched on by a server' : `switched on by operator ${operator}`);
  }

  /** Answers what has to wait before it is switched off; null where it is done. */
  async askRelease(kind: StopKind | null, operator: number): Promise<Change | null> {
    const change = this.#settings.askKillSwitchOff(kind, operator);
    this.#alarm({ msg: `operator ${operator} asked for: ${change === null ? releaseOf(kind) : wordsOf(change)}` });
    if (change === null) {
      await this.#release(kind);
      return null;
    }
    await this.applyDue();
    return this.#settings.changes.includes(change) ? change : null;
  }

  /** At a start, so that the log of a restarted signer says it too. */
  tell(): void {
    const stops = Array.from(this.#state.stopped, ([kind, { why, at }]) => `${kind} since ${timeOf(at)} (${why})`);
    if (stops.length === 0) return;
    const releases = this.#settings.changes.filter(({ what }) => what.kind === 'kill-switch-off').map(wordsOf);
    const until = releases.length === 0 ? 'until an operator releases it' : releases.join(', ');
    this.#alarm({ msg: `the kill switch is on: ${stops.join(', ')}; ${until}` });
  }

  get changes(): Change[] {
    return [...this.#settings.changes];
  }

  async confirm(changeId: string, operator: number): Promise<void> {
    const change = this.#settings.confirm(changeId, operator);
    this.#alarm({ msg: `operator ${operator} agrees: ${wordsOf(change)}` });
    await this.applyDue();
  }

  cancel(changeId: string, operator: number): void {
    this.#alarm({ msg: `operator ${operator} canceled: ${wordsOf(this.#settings.cancel(changeId))}` });
  }

  async applyDue(): Promise<void> {
    for (const kind of this.#settings.takeDueReleases()) await this.#release(kind);
  }

  async #release(kind: StopKind | null): Promise<void> {
    await this.#state.setKillSwitch(false, kind);
    this.#alarm({ msg: `kill switch released: ${kind ?? 'everything'}` });
  }

  /** One line for what it changes: whoever asks again and again does not fill the log. */
  async #switchOn(kind: StopKind | null, why: string): Promise<void> {
    const isNew = (kind === null ? STOP_KINDS : [kind]).some((one) => !this.#state.stopped.has(one));
    const done = this.#state.setKillSwitch(true, kind, why);
    if (isNew) this.#alarm({ msg: `${kind ?? 'all signing'} stopped until an operator releases it: ${why}` });
    try {
      for (const change of this.#settings.forgetKillSwitchOff(kind)) {
        this.#alarm({ msg: `dropped by a stop (${why}): ${wordsOf(change)}` });
      }
    } finally {
      await done;
    }
  }
}

function wordsOf({ what, from }: Change): string {
  const about = what.kind === 'setting' ? `${what.name} = ${what.value}` : releaseOf(what.stop);
  return `${about}, not before ${timeOf(from)}`;
}

function releaseOf(kind: StopKind | null): string {
  return `release of ${kind ?? 'everything'}`;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
