import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useT } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/i18n.ts';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Price } from '../../ui/numbers.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import { TokenAvatar } from '../../ui/token-avatar.tsx';
import { gradeTones, multipleText, noticeText } from './notice-text.ts';
import type { Notice, NoticeGrade } from './notice-text.ts';

export function NoticeTable({
  rows,
  loading,
  withToken,
}: {
  rows: readonly Notice[];
  loading: boolean;
  withToken: boolean;
}) {
  const t = useT();
  const columns = useMemo(() => columnsOf(t, withToken), [t, withToken]);
  return (
    <Table
      label={t('notices.list')}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      loading={loading}
      empty={<EmptyState text={t('notices.none')} height={180} />}
    />
  );
}

function columnsOf(t: Translate, withToken: boolean): readonly Column<Notice>[] {
  return [
    {
      key: 'time',
      header: t('notices.columns.time'),
      align: 'start',
      cell: ({ time }) => <RelativeTime timeMs={time} className="text-muted" />,
    },
    ...(withToken
      ? [
          {
            key: 'token',
            header: t('notices.columns.token'),
            align: 'start' as const,
            cell: ({ tokenContractAddress, tokenSymbol, tokenLogoUrl }: Notice) => (
              <Link
                to="/token/$tokenAddress"
                params={{ tokenAddress: tokenContractAddress }}
                search={(before: Record<string, unknown>) => before}
                className="flex items-center gap-2 font-semibold hover:underline"
              >
                <TokenAvatar src={tokenLogoUrl} size={20} />
                <bdi className="max-w-28 truncate">{tokenSymbol}</bdi>
              </Link>
            ),
          },
        ]
      : []),
    {
      key: 'alert',
      header: t('notices.columns.alert'),
      align: 'start',
      cell: (notice) => (
        <span className="flex flex-col">
          <span className="font-[550]">{t(`notices.trigger.${notice.trigger}`)}</span>
          <span className="max-w-64 truncate text-xs text-faint max-sm:hidden" title={noticeText(notice, t)}>
            {noticeText(notice, t)}
          </span>
        </span>
      ),
    },
    {
      key: 'price',
      header: t('notices.columns.price'),
      from: 'sm',
      cell: ({ priceAtAlert }) => <Price value={priceAtAlert} />,
    },
    {
      key: 'now',
      header: t('notices.columns.now'),
      cell: ({ multipleNow }) => <Multiple value={multipleNow} tone />,
    },
    {
      key: 'peak',
      header: t('notices.columns.peak'),
      cell: ({ multiplePeak }) => <Multiple value={multiplePeak} />,
    },
    {
      key: 'grade',
      header: t('notices.columns.grade'),
      cell: ({ grade1h, grade24h }) => (
        <span className="inline-flex gap-1 max-sm:flex-col max-sm:items-end">
          <Grade grade={grade1h} />
          <Grade grade={grade24h} />
        </span>
      ),
    },
  ];
}

function Multiple({ value, tone = false }: { value: string; tone?: boolean }) {
  const t = useT();
  const number = Number(value);
  const colour = !tone || number === 1 ? '' : number > 1 ? 'text-up' : 'text-down';
  return <span className={`num ${colour}`}>{t('notices.multiple', { value: multipleText(value) })}</span>;
}

function Grade({ grade }: { grade: NoticeGrade | null }) {
  const t = useT();
  const name = grade ?? 'open';
  return (
    <Chip tone={grade === null ? 'plain' : gradeTones[grade]} title={t(`notices.gradeText.${name}`)}>
      {t(`notices.grade.${name}`)}
    </Chip>
  );
}
