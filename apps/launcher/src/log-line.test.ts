import { describe, expect, it } from 'vitest';
import { isErrorLine, isForTheLogOnly, terminalLine } from './log-line.ts';

describe('what a terminal is told of a log', () => {
  it.each([
    ['{"level":40,"msg":"the market indexer failed and tries again"}', false, true],
    ['{"level":50,"msg":"the books differ from the chain"}', true, false],
    ['Error: something that nobody caught', false, false],
    ['{"a":"line without a level"}', false, false],
  ])('%s', (line, isError, isQuiet) => {
    expect(isErrorLine(line)).toBe(isError);
    expect(isForTheLogOnly(line)).toBe(isQuiet);
  });

  it('reaches no terminal with what would command it, or with a line of its own', () => {
    const line = JSON.stringify({ level: 50, msg: 'no such user: \u001b]0;x\u0007\u009b2J\nHunter is ready' });
    expect(terminalLine('server', line)).toBe('[server] no such user:  ]0;x 2J Hunter is ready');
  });

  it('is its words, and not its structure', () => {
    const line = '{"level":60,"err":{"message":"no memory"},"msg":"passwords cannot be hashed"}';
    expect(terminalLine('server', line)).toBe('[server] passwords cannot be hashed: no memory');
    expect(terminalLine('signer', 'plain words')).toBe('[signer] plain words');
  });
});
