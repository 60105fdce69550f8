import { describe, expect, it } from 'vitest';
import type { Translate } from '../../i18n/i18n.ts';
import { safetyText } from './safety-text.ts';
import type { SafetyBadge } from './safety-text.ts';

const t: Translate = (key, params) => (params ? `${key} ${JSON.stringify(params)}` : key);
const keys = [
  'mint-authority',
  'freeze-authority',
  'top-10-share',
  'dev-share',
  'extensions',
  'age',
  'liquidity',
  'name',
] as const satisfies readonly SafetyBadge['key'][];

describe('a safety badge', () => {
  it.each(keys)('never shows what could not be read as good: %s', (key) => {
    const text = safetyText({ key, level: 'unknown', value: null }, t);
    expect(text?.tone).toBe('plain');
    expect(text?.text).toBe('token.safety.unknownText');
  });

  it.each(keys)('is green only when all is well, and says something else otherwise: %s', (key) => {
    const ok = safetyText({ key, level: 'ok', value: '5' }, t);
    const danger = safetyText({ key, level: 'danger', value: '5' }, t);
    const warn = safetyText({ key, level: 'warn', value: '5' }, t);
    if (key === 'name') expect(ok).toBeNull();
    else expect(ok?.tone).toBe('up');
    expect([warn?.tone, danger?.tone]).toEqual(['warn', 'down']);
    expect(danger?.text).not.toBe(ok?.text);
  });

  it('explains each flag of a name, and flags it does not know', () => {
    const text = safetyText({ key: 'name', level: 'danger', value: 'markup, look-alike, new-flag' }, t)?.text;
    expect(text).toBe('token.safety.name.markup token.safety.name.lookAlike token.safety.name.unclear');
  });

  it('says how much a tax takes, and whether it can be raised', () => {
    const badge: SafetyBadge = { key: 'extensions', level: 'danger', value: 'transfer-fee, permanent-delegate' };
    const taxed = safetyText(badge, t, { percent: '5.25', canChange: false });
    expect(taxed?.label).toBe('token.safety.extensions.tax {"percent":"5.25"}');
    expect(taxed?.text).toContain('rules.tax {\\"percent\\":\\"5.25\\"}token.safety.rules.between');
    expect(taxed?.text).not.toContain('taxCanChange');
    const later = safetyText(badge, t, { percent: '0', canChange: true });
    expect(later?.label).toBe('token.safety.extensions.bad');
    expect(later?.text).toContain('{"value":"token.safety.rules.taxCanChange');
  });

  it('tells age in the largest sensible unit and liquidity in SOL', () => {
    const label = (key: SafetyBadge['key'], value: string) => safetyText({ key, level: 'ok', value }, t)?.label;
    expect(label('age', '180000')).toContain('duration.minutes');
    expect(label('age', String(47 * 3_600_000))).toContain('duration.hours');
    expect(label('age', String(72 * 3_600_000))).toContain('duration.days');
    expect(label('liquidity', '1010339755157')).toContain('1,010.34 SOL');
  });
});
