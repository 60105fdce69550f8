import { expect, it } from 'vitest';
import { doneCount, stepsDone } from './first-steps.ts';

const none = {
  deposited: false,
  found: false,
  bought: false,
  protected: false,
  followed: false,
  recorded: false,
  left: false,
};

it('counts a buy only once something protects it', () => {
  expect(stepsDone({ ...none, bought: true }).buy).toBe(false);
  expect(stepsDone({ ...none, bought: true, protected: true }).buy).toBe(true);
});

it('counts what has happened, whether or not the guide was left', () => {
  expect(doneCount(none)).toBe(0);
  expect(doneCount({ ...none, deposited: true, followed: true, left: true })).toBe(2);
});
