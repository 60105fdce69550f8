import { SignerError } from '@hunter/signer-client/signer-error';

export type Tried = { hostile: number; passed: string[]; refusedHonest: string[] };

/** Notes which calls of the signer go through that must not, and the other way round. */
export function newTries(): {
  tried: Tried;
  hostile: (name: string, call: Promise<unknown>) => Promise<void>;
  honest: (name: string, call: Promise<unknown>) => Promise<void>;
} {
  const tried: Tried = { hostile: 0, passed: [], refusedHonest: [] };
  return {
    tried,
    hostile: async (name, call) => {
      tried.hostile += 1;
      if (await passes(call)) tried.passed.push(name);
    },
    honest: async (name, call) => {
      if (!(await passes(call))) tried.refusedHonest.push(name);
    },
  };
}

async function passes(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof SignerError && (error.code === 'DENIED' || error.code === 'UNAUTHORISED')) return false;
    throw error;
  }
}
