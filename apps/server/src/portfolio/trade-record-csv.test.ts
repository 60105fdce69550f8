import { describe, expect, it } from 'vitest';
import { csvCell } from './trade-record-csv.ts';

describe('a cell of the export', () => {
  it.each([
    ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
    ['+cmd', `"'+cmd"`],
    ['@SUM(1)', `"'@SUM(1)"`],
    ['\t=1', `"'\t=1"`],
    ['-1+2', `"'-1+2"`],
  ])('never lets a spreadsheet run %j', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it('keeps numbers numbers and quotes what needs it', () => {
    expect(csvCell('-0.25')).toBe('-0.25');
    expect(csvCell('Cat, the "great"')).toBe('"Cat, the ""great"""');
  });
});
