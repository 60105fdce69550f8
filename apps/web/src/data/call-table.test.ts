import { calls } from '@hunter/contract/calls';
import type { Call } from '@hunter/contract/call';
import { expect, it } from 'vitest';
import { callTable } from './call-table.ts';

it('holds every call of the contract with its method, path and whether it moves money', () => {
  const contract = Object.fromEntries(
    Object.entries(calls as Record<string, Call>).map(([name, { method, path, effect }]) => [
      name,
      effect === 'money' ? { method, path, money: true } : { method, path },
    ]),
  );
  expect(callTable).toEqual(contract);
});
