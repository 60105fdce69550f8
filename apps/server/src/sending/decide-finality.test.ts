import { expect, it } from 'vitest';
import { decideFinality } from './decide-finality.ts';

const posted = { slot: 7n, failed: false };
const status = (over: object) =>
  ({ slot: 7n, confirmations: null, err: null, confirmationStatus: 'finalized', ...over }) as never;

it('lets what was posted stand only where the same slot is final with the same outcome', () => {
  expect(decideFinality(status({}), posted)).toBe('final');
  expect(decideFinality(status({ err: 'failed' }), { slot: 7n, failed: true })).toBe('final');
  expect(decideFinality(status({ slot: 8n }), posted)).toBe('changed');
  expect(decideFinality(status({ err: 'failed' }), posted)).toBe('changed');
  expect(decideFinality(status({}), { slot: 7n, failed: true })).toBe('changed');
});

it('waits for finality, whatever a fork shows before, and takes no word for lost', () => {
  expect(decideFinality(status({ slot: 8n, confirmationStatus: 'confirmed' }), posted)).toBe('wait');
  expect(decideFinality(status({ confirmationStatus: 'processed' }), posted)).toBe('wait');
  expect(decideFinality(null, posted)).toBe('lost');
});

it('lets transactions stand whose outcome was not kept yet', () => {
  expect(decideFinality(status({ slot: 8n }), null)).toBe('final');
});
