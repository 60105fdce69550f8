import { useMemo, useState } from 'react';
import { api } from '../../data/api.ts';
import { useApiPages } from '../../data/use-api-pages.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useI18n } from '../../i18n/i18n.ts';
import type { I18n } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { EditIcon, PauseIcon, PlayIcon } from '../../ui/page-icons.tsx';
import { PagedTable } from '../../ui/paged-table.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import type { Column } from '../../ui/table.tsx';
import { toast } from '../../ui/toast-store.ts';
import { TokenLink } from '../../ui/token-link.tsx';
import { toneClass } from '../../ui/tone.ts';
import { TxHash } from '../../ui/tx-hash.tsx';
import { usePending } from '../../ui/use-pending.ts';
import { amountText, conditionText, kindText, outcomeText } from './trigger-text.ts';
import { hasFigures, isChangeable, triggerTone } from './trigger.ts';
import type { Trigger } from './trigger.ts';
import { refreshTriggers } from './use-triggers.ts';

const EditDialog = late(() => import('./edit-dialog.tsx'));
const CancelDialog = late(() => import('./cancel-dialog.tsx'));

type Asked = { what: 'edit' | 'cancel'; trigger: Trigger } | null;

/** Triggers that may still fire, or those that ended with their reason; of one token, or of all. */
export function TriggersTable({ state, address }: { state: 'open' | 'ended'; address?: string }) {
  const i18n = useI18n();
  const { t } = i18n;
  const list = useApiPages(
    'getMyTriggers',
    { state, pageSize: 50, ...(address === undefined ? {} : { tokenContractAddress: address }) },
    { refetchIntervalMs: 15_000 },
  );
  const [asked, setAsked] = useState<Asked>(null);
  // What ended did so at another price of SOL.
  const solUsd = useSolUsd(state === 'open' ? list.rows[0]?.tokenContractAddress : undefined);
  const columns = useMemo(() => {
    const own = state === 'open' ? openColumns(i18n, solUsd, setAsked) : endedColumns(i18n);
    return address === undefined ? [tokenColumn(i18n), ...own] : own;
  }, [i18n, state, address, solUsd]);
  return (
    <>
      <PagedTable
        label={t('triggers.list.table')}
        columns={columns}
        list={list}
        rowKey={(row) => row.id}
        rowHeight={52}
        empty={
          <EmptyState height={220} text={t(state === 'open' ? 'triggers.list.none' : 'triggers.list.noneEnded')} />
        }
      />
      {state === 'open' && list.rows.some(({ level, trailing }) => level !== null || trailing !== null) && (
        <p className="px-4 py-2 text-xs text-faint">{t('triggers.list.ownPrice')}</p>
      )}
      {asked?.what === 'edit' && (
        <EditDialog
          trigger={list.rows.find(({ id }) => id === asked.trigger.id) ?? { ...asked.trigger, state: 'ended' }}
          onClose={() => setAsked(null)}
        />
      )}
      {asked?.what === 'cancel' && <CancelDialog trigger={asked.trigger} onClose={() => setAsked(null)} />}
    </>
  );
}

/** The price of SOL, which comes with that of any token. */
function useSolUsd(address: string | undefined): string | null {
  const { data } = useApiQuery(
    'tokenPrice',
    { tokenContractAddress: address ?? '' },
    { enabled: address !== undefined, refetchIntervalMs: 60_000, keepPrevious: true },
  );
  return data?.solUsd.price ?? null;
}

function tokenColumn({ t }: I18n): Column<Trigger> {
  return {
    key: 'token',
    header: t('triggers.list.token'),
    align: 'start',
    cell: (row) => <TokenLink token={row} />,
  };
}

function typeColumn(i18n: I18n, below: (row: Trigger) => React.ReactNode): Column<Trigger> {
  const { t } = i18n;
  return {
    key: 'type',
    header: t('triggers.list.type'),
    align: 'start',
    cell: (row) => (
      <span className="flex flex-col items-start gap-0.5 whitespace-normal">
        <span className="flex flex-wrap items-center gap-1.5">
          <span className={classNames('font-semibold', toneClass[triggerTone(row)])}>{kindText(row, t)}</span>
          {row.state !== 'open' && row.state !== 'ended' && (
            <Chip tone={row.state === 'firing' ? 'accent' : 'warn'}>{t(`triggers.states.${row.state}`)}</Chip>
          )}
          {row.group && (
            <Chip title={t(`triggers.groupTexts.${row.group.kind}`)}>{t(`triggers.groups.${row.group.kind}`)}</Chip>
          )}
        </span>
        {row.state === 'paused' && row.orderError === 'ACCOUNT_FROZEN' && (
          <span className="max-w-60 text-xs text-warn">{t('triggers.list.byFreeze')}</span>
        )}
        {row.bookKind !== 'personal' && <bdi className="max-w-36 truncate text-xs text-faint">{row.bookName}</bdi>}
        <span className="text-xs text-muted md:hidden">{below(row)}</span>
      </span>
    ),
  };
}

function openColumns(i18n: I18n, solUsd: string | null, onAsk: (asked: Asked) => void): readonly Column<Trigger>[] {
  const { t } = i18n;
  return [
    // On phones the amount stands below the condition: a column of its own would leave no room for either.
    typeColumn(i18n, (row) => (
      <>
        {conditionText(row, i18n, solUsd)}
        <span className="block">{amountText(row, t)}</span>
      </>
    )),
    {
      key: 'condition',
      header: t('triggers.list.condition'),
      align: 'start',
      from: 'md',
      cell: (row) => <span className="num whitespace-normal">{conditionText(row, i18n, solUsd)}</span>,
    },
    {
      key: 'amount',
      header: t('triggers.list.amount'),
      from: 'md',
      cell: (row) => <span className="num">{amountText(row, t)}</span>,
    },
    {
      key: 'expires',
      header: t('triggers.list.expires'),
      from: 'lg',
      cell: (row) =>
        row.expiresAt === null ? (
          <span className="text-faint">{t('triggers.list.noExpiry')}</span>
        ) : (
          <RelativeTime timeMs={row.expiresAt} className="text-muted" />
        ),
    },
    {
      key: 'actions',
      header: t('triggers.list.actions'),
      headerHidden: true,
      width: 120,
      cell: (row) => <Actions trigger={row} i18n={i18n} onAsk={onAsk} />,
    },
  ];
}

function Actions({ trigger, i18n: { t }, onAsk }: { trigger: Trigger; i18n: I18n; onAsk: (asked: Asked) => void }) {
  const [pending, run] = usePending();
  if (!isChangeable(trigger)) return null;
  const name = kindText(trigger, t);
  const isPaused = trigger.state === 'paused';

  async function toggle(): Promise<void> {
    await run(async () => {
      await api.call(isPaused ? 'resumeTrigger' : 'pauseTrigger', { id: trigger.id });
      toast.success(t(isPaused ? 'triggers.list.resumed' : 'triggers.list.paused'));
    });
    refreshTriggers();
  }

  return (
    <span className="inline-flex justify-end">
      {hasFigures(trigger) && (
        <IconButton label={t('triggers.list.edit', { name })} onClick={() => onAsk({ what: 'edit', trigger })}>
          <EditIcon size={15} />
        </IconButton>
      )}
      {trigger.state !== 'waiting' && (
        <IconButton
          label={t(isPaused ? 'triggers.list.resume' : 'triggers.list.pause', { name })}
          disabled={pending}
          onClick={() => void toggle()}
        >
          {isPaused ? <PlayIcon size={15} /> : <PauseIcon size={15} />}
        </IconButton>
      )}
      <IconButton label={t('triggers.list.cancel', { name })} onClick={() => onAsk({ what: 'cancel', trigger })}>
        <CloseIcon size={15} />
      </IconButton>
    </span>
  );
}

function endedColumns(i18n: I18n): readonly Column<Trigger>[] {
  const { t } = i18n;
  return [
    typeColumn(i18n, (row) => outcomeText(row, t)),
    {
      key: 'condition',
      header: t('triggers.list.condition'),
      align: 'start',
      from: 'lg',
      cell: (row) => <span className="num text-muted">{conditionText(row, i18n)}</span>,
    },
    {
      key: 'result',
      header: t('triggers.list.result'),
      align: 'start',
      from: 'md',
      cell: (row) => <span className="whitespace-normal">{outcomeText(row, t)}</span>,
    },
    {
      key: 'ended',
      header: t('triggers.list.endedAt'),
      cell: (row) => (row.endedAt === null ? '-' : <RelativeTime timeMs={row.endedAt} className="text-muted" />),
    },
    { key: 'hash', header: t('triggers.list.transaction'), from: 'sm', cell: (row) => <TxHash hash={row.txHash} /> },
  ];
}
