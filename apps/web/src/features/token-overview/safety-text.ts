// What each safety badge says. Only `ok` is ever shown as good; what could not be read says so and looks neutral.
import type { CallReply } from '@hunter/contract/calls';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { formatSol } from '@hunter/domain/format/format-sol';
import type { TextKey } from '../../i18n/areas.ts';
import type { Translate } from '../../i18n/i18n.ts';
import type { ChipTone } from '../../ui/chip.tsx';

type Safety = CallReply<'getTokenBaseInfo'>['safety'];
export type SafetyBadge = Safety['badges'][number];
export type SafetyText = { key: string; tone: ChipTone; label: string; title: string; text: string };

const tones: Record<SafetyBadge['level'], ChipTone> = { ok: 'up', warn: 'warn', danger: 'down', unknown: 'plain' };

const titles: Record<SafetyBadge['key'], TextKey> = {
  'mint-authority': 'token.safety.mintAuthority.title',
  'freeze-authority': 'token.safety.freezeAuthority.title',
  'top-10-share': 'token.safety.topShare.title',
  'dev-share': 'token.safety.devShare.title',
  extensions: 'token.safety.extensions.title',
  age: 'token.safety.age.title',
  liquidity: 'token.safety.liquidity.title',
  name: 'token.safety.name.title',
};

const nameWarnings: Readonly<Record<string, TextKey>> = {
  markup: 'token.safety.name.markup',
  'hidden-characters': 'token.safety.name.hiddenCharacters',
  'look-alike': 'token.safety.name.lookAlike',
};

/** Null for a name that is in order: it needs no badge. */
export function safetyText(badge: SafetyBadge, t: Translate, tax: Safety['transferTax'] = null): SafetyText | null {
  const { key, level } = badge;
  const title = t(titles[key]);
  if (key === 'name' && level === 'ok') return null;
  if (level === 'unknown') {
    const label = `${title} · ${t('token.safety.unknown')}`;
    return { key, tone: tones.unknown, label, title, text: t('token.safety.unknownText') };
  }
  const [label, text] = wording(badge, t, tax);
  return { key, tone: tones[level], label, title, text };
}

function wording(
  { key, level, value: raw }: SafetyBadge,
  t: Translate,
  tax: Safety['transferTax'],
): [label: string, text: string] {
  const ok = level === 'ok';
  const value = raw ?? '-';
  switch (key) {
    case 'mint-authority':
      return ok
        ? [t('token.safety.mintAuthority.ok'), t('token.safety.mintAuthority.okText')]
        : [t('token.safety.mintAuthority.bad'), t('token.safety.mintAuthority.badText')];
    case 'freeze-authority':
      return ok
        ? [t('token.safety.freezeAuthority.ok'), t('token.safety.freezeAuthority.okText')]
        : [t('token.safety.freezeAuthority.bad'), t('token.safety.freezeAuthority.badText')];
    case 'top-10-share':
      return [
        t('token.safety.topShare.label', { value }),
        t(ok ? 'token.safety.topShare.okText' : 'token.safety.topShare.badText', { value }),
      ];
    case 'dev-share':
      return [
        t('token.safety.devShare.label', { value }),
        t(ok ? 'token.safety.devShare.okText' : 'token.safety.devShare.badText', { value }),
      ];
    case 'extensions':
      return ok
        ? [t('token.safety.extensions.ok'), t('token.safety.extensions.okText')]
        : [
            isTaxed(tax)
              ? t('token.safety.extensions.tax', { percent: tax.percent })
              : t('token.safety.extensions.bad'),
            t('token.safety.extensions.badText', { value: ruleNames(value, t, tax) }),
          ];
    case 'age': {
      const age = durationText(Number(value), t);
      return [
        t('token.safety.age.label', { value: age }),
        t(ok ? 'token.safety.age.okText' : 'token.safety.age.badText', { value: age }),
      ];
    }
    case 'liquidity': {
      const amount = /^\d+$/.test(value) ? formatSol(printDecimal(BigInt(value), 9)) : value;
      return [
        t('token.safety.liquidity.label', { value: amount }),
        t(ok ? 'token.safety.liquidity.okText' : 'token.safety.liquidity.badText', { value: amount }),
      ];
    }
    case 'name': {
      const flags = value.split(', ').map((flag) => t(nameWarnings[flag] ?? 'token.safety.name.unclear'));
      return [t('token.safety.name.bad'), flags.join(' ')];
    }
    default:
      return key satisfies never;
  }
}

const isTaxed = (tax: Safety['transferTax']): tax is NonNullable<typeof tax> => tax !== null && tax.percent !== '0';

const rules: Readonly<Record<string, TextKey>> = {
  'transfer-fee': 'token.safety.rules.transferFee',
  'permanent-delegate': 'token.safety.rules.permanentDelegate',
  'transfer-hook': 'token.safety.rules.transferHook',
  'default-frozen': 'token.safety.rules.defaultFrozen',
  'non-transferable': 'token.safety.rules.nonTransferable',
  pausable: 'token.safety.rules.pausable',
};

/** What the extensions do, in words; one that this build does not know keeps its name. */
function ruleNames(value: string, t: Translate, tax: Safety['transferTax']): string {
  const taxNames = [
    ...(isTaxed(tax) ? [t('token.safety.rules.tax', { percent: tax.percent })] : []),
    ...(tax?.canChange === true ? [t('token.safety.rules.taxCanChange')] : []),
  ];
  return value
    .split(', ')
    .flatMap((kind) => {
      if (kind === 'transfer-fee' && taxNames.length > 0) return taxNames;
      return rules[kind] ? t(rules[kind]) : kind;
    })
    .join(t('token.safety.rules.between'));
}

export function durationText(ms: number, t: Translate): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return t('token.duration.minutes', { count: minutes });
  if (minutes < 48 * 60) return t('token.duration.hours', { count: Math.floor(minutes / 60) });
  return t('token.duration.days', { count: Math.floor(minutes / 1_440) });
}
