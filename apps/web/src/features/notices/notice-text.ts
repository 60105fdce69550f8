import type { CallReply } from '@hunter/contract/calls';
import { formatPercent } from '@hunter/domain/format/format-percent';
import type { Translate } from '../../i18n/i18n.ts';
import type { ChipTone } from '../../ui/chip.tsx';

export type Notice = CallReply<'getTokenGoldenDogNotice'>['lists'][number];
export type NoticeGrade = NonNullable<Notice['grade1h']>;

/** What happened, with the figure behind it. */
export function noticeText({ trigger, detail }: Pick<Notice, 'trigger' | 'detail'>, t: Translate): string {
  return t(`notices.detail.${trigger}`, { value: trigger === 'creator-buy' ? yieldText(detail) : detail });
}

/** The yield comes in words, "yield 12.3456%", of which only the number fits every language. */
function yieldText(detail: string): string {
  const [number] = /-?\d+(\.\d+)?/.exec(detail) ?? [];
  return formatPercent(number);
}

/** Grades are medals, not gains: only gold and dead are told apart by colour. */
export const gradeTones: Record<NoticeGrade, ChipTone> = {
  gold: 'gold',
  silver: 'accent',
  bronze: 'warn',
  flat: 'plain',
  dead: 'down',
};

/** "3.4" of "3.4127"; two decimals below ten, none from a hundred on. */
export function multipleText(value: string): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return '-';
  return number.toFixed(number < 10 ? 2 : number < 100 ? 1 : 0);
}
