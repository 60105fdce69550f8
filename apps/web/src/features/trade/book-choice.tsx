import { useT } from '../../i18n/i18n.ts';
import { Explain } from '../../ui/explain.tsx';
import { InfoIcon } from '../../ui/icons.tsx';
import { Select } from '../../ui/select.tsx';
import type { OwnBook } from './own-books.ts';

type BookChoiceProps = { books: readonly OwnBook[]; book: OwnBook | undefined; onBook: (bookId: string) => void };

/** Which of the user's books trades. */
export function BookChoice({ books, book, onBook }: BookChoiceProps) {
  const t = useT();
  return (
    <>
      <div className="mt-3 flex h-[34px] items-center justify-between gap-3 text-sm pointer-coarse:h-11">
        <span className="flex items-center gap-1">
          <label htmlFor="trade-book" className="text-muted">
            {t('trade.book')}
          </label>
          <Explain title={t('trade.subAccount')} text={t('trade.subAccountText')}>
            <button
              type="button"
              aria-label={t('trade.subAccount')}
              className="grid size-[24px] place-items-center rounded-full text-faint hover:text-text pointer-coarse:size-9"
            >
              <InfoIcon size={14} />
            </button>
          </Explain>
        </span>
        <Select
          id="trade-book"
          value={book?.bookId ?? ''}
          onValue={onBook}
          disabled={books.length < 2}
          options={books.map((each) => ({
            key: each.bookId,
            label: each.bookKind === 'personal' ? t('trade.books.personal') : each.bookName,
          }))}
          className="max-w-[65%] min-w-0"
        />
      </div>
      {book?.bookKind === 'strategy' && (
        <p className="mt-1.5 rounded-lg bg-accent-soft px-2.5 py-2 text-xs text-text" data-testid="book-meaning">
          {t('trade.books.strategyText')}
        </p>
      )}
    </>
  );
}
