import { expect, it } from 'vitest';
import { SharedAnswers } from './shared-answers.ts';

function aReader() {
  let nowMs = 1_000;
  let reads = 0;
  const answers = new SharedAnswers({ nowMs: () => nowMs });
  return {
    read: (key: string) =>
      answers.get(key, 300, async () => {
        reads += 1;
        return `${key} ${reads}`;
      }),
    pass: (ms: number) => {
      nowMs += ms;
    },
    answers,
  };
}

it('reads once for all who ask within the time, and again after it', async () => {
  const reader = aReader();
  expect(await Promise.all([reader.read('a'), reader.read('a')])).toEqual(['a 1', 'a 1']);
  reader.pass(299);
  expect(await reader.read('a')).toBe('a 1');
  reader.pass(1);
  expect(await reader.read('a')).toBe('a 2');
});

it('does not share a failure with those who ask later', async () => {
  const { answers } = aReader();
  await expect(answers.get('x', 300, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await answers.get('x', 300, async () => 'up')).toBe('up');
});
