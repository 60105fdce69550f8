import { describe, expect, it } from 'vitest';
import { emptyKeyForm, keyFormErrors, keyRequest } from './api-key-form.ts';

const filled = { ...emptyKeyForm, name: ' bot ', password: 'secret' };

describe('the form of an API key', () => {
  it('asks for a daily limit only where the key trades', () => {
    expect(keyFormErrors({ ...filled, dailySol: '' })).toEqual({});
    expect(keyFormErrors({ ...filled, scope: 'trade', dailySol: '' })).toEqual({
      dailySol: 'account.apiKeys.dailyInvalid',
    });
    expect(keyRequest(filled, 'id')).not.toHaveProperty('dailySol');
    expect(keyRequest({ ...filled, scope: 'trade' }, 'id')).toMatchObject({ name: 'bot', dailySol: '1', days: 90 });
  });

  it('reads a limit as amounts are read elsewhere', () => {
    const typed = { ...filled, scope: 'trade' as const, dailySol: '1,5 SOL' };
    expect(keyFormErrors(typed)).toEqual({});
    expect(keyRequest(typed, 'id').dailySol).toBe('1.5');
  });

  it('reads addresses by line, comma or space, and refuses what is none', () => {
    expect(keyRequest({ ...filled, addresses: '203.0.113.7,\n2001:db8::/32，10.0.0.1' }, 'id').addresses).toEqual([
      '203.0.113.7',
      '2001:db8::/32',
      '10.0.0.1',
    ]);
    expect(keyFormErrors({ ...filled, addresses: 'home' })).toEqual({ addresses: 'account.apiKeys.addressesInvalid' });
  });
});
