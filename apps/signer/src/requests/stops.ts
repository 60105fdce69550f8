import type { Alarm } from '../alarm.ts';
import { deny } from '../denial.ts';
import type { Change, Settings } from '../limits/settings.ts';
import type { SignerState } from '../memory/signer-state.ts';
import type { StopKind } from '../limits/stop-switch.ts';

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
    this.#alarm({ msg: `${kind ?? 'all signing'} stopped: ${why}` });
    await this.#switchOn(kind, why);
  }

  /** Answers what has to wait before it is switched off; null where it is done. */
  async set(on: boolean, kind: StopKind | null, operator = 1): Promise<Change | null> {
    if (on) {
      await this.#switchOn(kind, 'switched on by hand');
      return null;
    }
    const change = this.#settings.askKillSwitchOff(kind, operator);
    if (change === null) await this.#release(kind);
    else await this.applyDue();
    return change !== null && this.#settings.changes.includes(change) ? change : null;
  }

  get changes(): Change[] {
    return [...this.#settings.changes];
  }

  async confirm(changeId: string, operator: number): Promise<void> {
    this.#settings.confirm(changeId, operator);
    await this.applyDue();
  }

  cancel(changeId: string): void {
    this.#settings.cancel(changeId);
  }

  async applyDue(): Promise<void> {
    for (const kind of this.#settings.takeDueReleases()) await this.#release(kind);
  }

  async #release(kind: StopKind | null): Promise<void> {
    this.#alarm({ msg: `kill switch released: ${kind ?? 'everything'}` });
    await this.#state.setKillSwitch(false, kind);
  }

  async #switchOn(kind: StopKind | null, why: string): Promise<void> {
    const done = this.#state.setKillSwitch(true, kind, why);
    this.#settings.forgetKillSwitchOff();
    await done;
  }
}
