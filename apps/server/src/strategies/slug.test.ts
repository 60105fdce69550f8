import { slug as slugField } from '@hunter/contract/fields';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slugCandidate, slugFrom } from './slug.ts';

const ID = '0f1e2d3c-4b5a-4697-8899-aabbccddeeff';

describe('a slug', () => {
  it('keeps letters of any script', () => {
    expect(slugFrom('Moon Shots #1!')).toBe('moon-shots-1');
    expect(slugFrom('月球 计划')).toBe('月球-计划');
  });

  it('has another candidate when the name is taken', () => {
    expect(slugCandidate('Moon', ID, 0)).toBe('moon');
    expect(slugCandidate('Moon', ID, 1)).toBe('moon-0f1e');
    expect(slugCandidate('Moon', ID, 2)).toBe('moon-0f1e2d3c');
    expect(slugCandidate('🌕🌕', ID, 0)).toBe('s-0f1e');
  });

  it('is cut to a length that leaves room for a suffix', () => {
    expect(slugFrom('a'.repeat(90))).toBe('a'.repeat(60));
  });

  it('is always one that the API accepts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 2, maxLength: 40 }), fc.nat(3), (name, attempt) => {
        expect(slugField.safeParse(slugCandidate(name, ID, attempt)).success).toBe(true);
      }),
    );
  });
});
