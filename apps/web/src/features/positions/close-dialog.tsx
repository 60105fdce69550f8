import { useState } from 'react';
import { attempt } from '../../data/attempts.ts';
import { queryClient } from '../../data/query-client.ts';
import { apiKey, useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Tokens } from '../../ui/numbers.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { toast } from '../../ui/toast-store.ts';
import type { Position } from './position.ts';

/** Closing sells from every book that holds the token, unless one is chosen; the dialog names them. */
export default function CloseDialog({ position, onClose }: { position: Position; onClose: () => void }) {
  const t = useT();
  const { tokenContractAddress, tokenSymbol, bookId } = position;
  const holdings = useApiQuery('getMyTokenAmount', { tokenContractAddress }, { refetchIntervalMs: 5_000 });
  const [scope, setScope] = useState<'all' | 'one'>('all');
  const holding = (holdings.data?.books ?? []).filter((book) => /[1-9]/.test(book.amount));
  const sold = scope === 'all' ? holding : holding.filter((book) => book.bookId === bookId);
  const nameOf = (book: { bookKind: Position['bookKind']; bookName: string }) =>
    book.bookKind === 'personal' ? t('account.books.personal') : book.bookName;

  async function confirm(): Promise<void> {
    const request = { tokenContractAddress, ...(scope === 'one' ? { bookId } : {}) };
    // Another amount is another sale, also where the answer to the first was lost.
    const { lists } = await attempt('tokenClose', request, [request, sold.map(({ amount }) => amount)]);
    const failed = lists.filter((order) => order.status === 'failed' || order.status === 'dead').length;
    const waiting = lists.some((order) => order.status === 'pending' || order.status === 'sent');
    if (failed > 0 || lists.length < sold.length) toast.error(t('account.close.partly'));
    else if (waiting) toast.info(t('account.close.sent'));
    else toast.success(t('account.close.success'));
    for (const call of ['getMyPositions', 'getMyAccount', 'getMyTradeRecord', 'getMyTokenAmount'] as const) {
      void queryClient.invalidateQueries({ queryKey: apiKey(call) });
    }
    onClose();
  }

  return (
    <ConfirmDialog
      open
      title={<bdi>{t('account.close.title', { symbol: tokenSymbol })}</bdi>}
      text={t('account.close.text')}
      confirmLabel={t('account.close.confirm')}
      tone="sell"
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3">
        {holding.length > 1 && (
          <SegmentedControl
            label={t('account.close.which')}
            value={scope}
            onChange={setScope}
            fill
            options={[
              { key: 'all', label: t('account.close.all') },
              { key: 'one', label: <bdi>{t('account.close.one', { book: nameOf(position) })}</bdi> },
            ]}
          />
        )}
        <div data-testid="close-books">
          <h3 className="mb-1">{t('account.close.books')}</h3>
          {holdings.isPending && <Skeleton height={20} />}
          {sold.map((book) => (
            <KeyValue
              key={book.bookId}
              label={
                <span className="text-text">
                  {book.bookKind === 'personal' ? (
                    t('account.books.personal')
                  ) : (
                    <>
                      <span className="text-muted">{t(`account.books.${book.bookKind}`)} </span>
                      <bdi className="font-semibold">{book.bookName}</bdi>
                    </>
                  )}
                </span>
              }
            >
              <Tokens value={book.amount} /> <bdi className="text-muted">{tokenSymbol}</bdi>
            </KeyValue>
          ))}
        </div>
        {sold.some((book) => book.bookKind === 'strategy') && (
          <p className="text-sm text-muted">{t('account.close.copies')}</p>
        )}
      </div>
    </ConfirmDialog>
  );
}
