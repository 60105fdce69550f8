// Orders that wait. One form for all of them: the fields differ, what follows from them does not: a summary in words, a
// preview by the server, and the button.
import type { CallRequest } from '@hunter/contract/calls';
import { useState } from 'react';
import { attempt } from '../../data/attempts.ts';
import { refreshCalls } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/form.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { toast } from '../../ui/toast-store.ts';
import { usePending } from '../../ui/use-pending.ts';
import { BookChoice } from './book-choice.tsx';
import type { KeptTriggers } from './kept-triggers.ts';
import { LimitFields } from './limit-fields.tsx';
import { useOwnBooks, useReplacedBook } from './own-books.ts';
import { useTellPlanned } from './planned-lines.ts';
import type { PlannedOrders } from './planned-lines.ts';
import { SideTabs } from './side-tabs.tsx';
import { emptyBeside, emptyDraft, triggersOf } from './trigger-draft.ts';
import type { OpenExit, PricesNow, TriggerDraft, TriggerType } from './trigger-draft.ts';
import { DcaFields, EventFields, ExitFields, LadderFields, TrailingFields } from './trigger-fields.tsx';
import { TriggerPreview } from './trigger-preview.tsx';
import { triggerSummary } from './trigger-summary.ts';

const exits = ['oco', 'trailing', 'ladder', 'event'] as const;
type ExitType = (typeof exits)[number];

type TriggerFormProps = {
  address: string;
  symbol: string;
  now: PricesNow;
  buyPresets: readonly string[];
  type: 'limit' | 'exit' | 'dca';
  side: 'buy' | 'sell';
  onSide: (side: 'buy' | 'sell') => void;
  bookId: string | null;
  onBook: (bookId: string) => void;
  kept: KeptTriggers;
  /** Of all the user's books. */
  openExits: readonly OpenExit[];
  /** Told what is being composed, for others to draw; null once there is nothing to draw. */
  onPlanned: (orders: PlannedOrders | null) => void;
  onPlaced: () => void;
};

export default function TriggerForm(props: TriggerFormProps) {
  const { symbol, now, buyPresets, type: tab, onBook } = props;
  const t = useT();
  const [exit, setExit] = useState<ExitType>('oco');
  const type: TriggerType = tab === 'exit' ? exit : tab;
  const side = tab === 'exit' ? 'sell' : props.side;
  const { draft, change, chosenAt, books, book, beside, request, pending, isPlaced, place } = useTrigger(
    props,
    type,
    side,
  );
  useTellPlanned(book && !pending && !isPlaced ? { bookId: book.bookId, type, side, draft } : null, props.onPlanned);
  const fields = { draft, onDraft: change, side, book, now, buyPresets };
  return (
    <Form aria-label={t('triggers.types.label')} data-testid="trigger-form" onSubmit={() => void place()}>
      {tab === 'exit' ? (
        <SegmentedControl
          fill
          label={t('triggers.exits.label')}
          value={exit}
          onChange={setExit}
          className="[&_label]:px-1!"
          options={exits.map((key) => ({ key, label: t(`triggers.exits.${key}`) }))}
        />
      ) : (
        <SideTabs side={side} onSide={props.onSide} />
      )}
      <BookChoice books={books} book={book} onBook={onBook} />
      {tab === 'exit' && beside.length > 0 && <OpenExits exits={beside} />}
      <div className="mt-2 flex flex-col gap-3">
        {type === 'limit' && <LimitFields {...fields} />}
        {type === 'oco' && <ExitFields {...fields} />}
        {type === 'trailing' && <TrailingFields {...fields} />}
        {type === 'ladder' && <LadderFields {...fields} />}
        {type === 'event' && <EventFields {...fields} />}
        {type === 'dca' && <DcaFields {...fields} />}
      </div>
      <section
        className="mt-3 rounded-lg border border-line bg-bg px-2.5 py-2 text-sm"
        aria-label={t('triggers.summary.title')}
      >
        <p className={request ? '' : 'text-faint'} data-testid="trigger-summary" aria-live="polite">
          {request ? triggerSummary(type, draft, side, { symbol, now: chosenAt }, t) : t('triggers.preview.waiting')}
        </p>
      </section>
      <TriggerPreview request={request} symbol={symbol} />
      <div className="mt-3 max-lg:in-reach max-lg:mt-1">
        <Button
          type="submit"
          tone={side}
          size="l"
          className="w-full"
          pending={pending}
          disabled={request === null}
          data-testid="trigger-submit"
        >
          {request ? t(`triggers.place.${type}`) : t('triggers.place.incomplete')}
        </Button>
      </div>
    </Form>
  );
}

/** What a new exit would be added to. */
function OpenExits({ exits }: { exits: readonly OpenExit[] }) {
  const t = useT();
  return (
    <section
      className="mt-2 rounded-lg border border-line bg-bg px-2.5 py-2 text-sm"
      aria-label={t('triggers.openExits.title')}
    >
      <h3>{t('triggers.openExits.title')}</h3>
      <ul>
        {exits.map(({ id, name, text }) => (
          <li key={id}>
            {name} <span className="num whitespace-normal text-muted">{text}</span>
          </li>
        ))}
      </ul>
      <p className="text-xs text-faint">{t('triggers.openExits.text')}</p>
    </section>
  );
}

/** The draft, the request that it makes once it is complete, and placing it. */
function useTrigger(
  { address, now, bookId, kept, openExits, onPlaced }: TriggerFormProps,
  type: TriggerType,
  side: TriggerFormProps['side'],
) {
  const t = useT();
  const [pending, run] = usePending();
  /** What stands in the form as it was placed: it is an open order now, and composed again once something is changed. */
  const [placedType, setPlacedType] = useState<TriggerType | null>(null);
  // When the draft was last changed: an expiry that moves on by itself would make every preview a new one.
  const [changedMs, setChangedMs] = useState(() => Date.now());
  const { setChosen, setChosenAt, setSent, setTried } = kept;
  const chosenAt = kept.chosenAt ?? now;
  const { books, book } = useOwnBooks(address, bookId);
  const { draft, beside } = draftOf(kept, openExits, book?.bookId, type);
  const change = (part: Partial<TriggerDraft>) => {
    setChosen((before) => ({ ...before, ...part }));
    setChangedMs(Date.now());
    setPlacedType(null);
    setSent(null);
    setTried(null);
    if ('price' in part || 'unit' in part) setChosenAt(now);
  };
  useReplacedBook(bookId, book?.bookId, () => change({ price: '', spend: '', each: '' }));
  const requestAt = (fromMs: number): CallRequest<'placeTrigger'> | null => {
    const drafted = triggersOf(type, draft, side, chosenAt, fromMs);
    return drafted && book ? { tokenContractAddress: address, bookId: book.bookId, ...drafted } : null;
  };

  async function place(): Promise<void> {
    const tried = kept.tryNow();
    const placed = requestAt(tried.fromMs);
    if (!placed || pending) return;
    setTried(tried);
    setSent({ type, bookId: placed.bookId, draft });
    await run(async () => {
      await attempt('placeTrigger', placed);
      setTried(null);
      toast.success(t('triggers.place.done'));
      void refreshCalls('getMyTriggers', 'getMyTokenAmount', 'getMyAccount');
      // Exits that are placed are proposed no second time, also while the list of open ones is on its way.
      const empty = { ...emptyBeside(placed.triggers), price: '', spend: '', each: '' };
      setChosen((before) => ({ ...before, ...empty }));
      setSent(null);
      setPlacedType(type);
      onPlaced();
    });
  }

  return {
    draft,
    change,
    chosenAt,
    books,
    book,
    beside,
    request: requestAt(changedMs),
    pending,
    isPlaced: placedType === type,
    place,
  };
}

/** What the user chose, and for the rest what is usual beside the exits that the book has. */
function draftOf(
  { chosen, sent }: KeptTriggers,
  openExits: readonly OpenExit[],
  bookId: string | undefined,
  type: TriggerType,
) {
  const beside = openExits.filter((exit) => exit.bookId === bookId);
  const composed = { ...emptyDraft, ...emptyBeside(beside), ...chosen };
  const draft = sent?.type === type && sent.bookId === bookId ? sent.draft : composed;
  return { draft, beside };
}
