import { groupThousands } from '@hunter/domain/format/group-thousands';
import { classNames } from './class-names.ts';
import { toneClass, toneOf } from './tone.ts';

/** Every digit of an amount, with its thousands apart: for records, where a rounded number would not add up. */
export function ExactAmount({
  value,
  unit,
  tone = false,
}: {
  /** Null where it is not known. */
  value: string | null;
  unit?: string;
  /** Colours a change and gives a gain its plus sign. */
  tone?: boolean;
}) {
  if (value === null) return <span className="num">-</span>;
  const found = tone ? toneOf(value) : null;
  return (
    <span className={classNames('num', found && toneClass[found])}>
      {`${found === 'up' ? '+' : ''}${groupThousands(value)}${unit === undefined ? '' : ` ${unit}`}`}
    </span>
  );
}
