import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useApiPages } from '../../data/use-api-pages.ts';
import { commonScale } from '../../features/strategy-card/common-scale.ts';
import type { Strategy } from '../../features/strategy-card/strategy.ts';
import { StrategyGrid } from '../../features/strategy-card/strategy-grid.tsx';
import { useT } from '../../i18n/i18n.ts';
import { late } from '../../ui/late.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Form } from '../../ui/form.tsx';
import { CloseIcon, SearchIcon } from '../../ui/icons.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { KEYWORD_LENGTH_MAX, readSquareSearch, sorts, squareRequest, states, tiers } from './square-search.ts';
import type { SquareSearch } from './square-search.ts';

const CreateDialog = late(() => import('../../features/strategy-create/create-dialog.tsx'), { texts: ['create'] });

const REFRESH_MS = 15_000;
const DEBOUNCE_MS = 300;
const route = getRouteApi('/strategies');

export default function StrategiesPage() {
  const t = useT();
  // The router keeps values that no reader knows, as an old link may have them.
  const search = route.useSearch({ select: readSquareSearch });
  const navigate = route.useNavigate();
  const { tier = 'all', sort = 'score', state = 'running', keyword = '' } = search;
  const list = useApiPages('getStrategyList', squareRequest({ tier, sort, state, keyword }), {
    refetchIntervalMs: REFRESH_MS,
    rowKey: ({ slug }) => slug,
  });

  function show(change: SquareSearch): void {
    void navigate({ search: (old) => readSquareSearch({ ...old, ...change }), replace: true });
  }

  return (
    <Page
      title={t('strategies.title')}
      text={t('strategies.text')}
      actions={
        <Button
          icon={<span aria-hidden="true">+</span>}
          onClick={() => void navigate({ search: (old) => ({ ...old, create: true }) })}
        >
          {t('strategies.create')}
        </Button>
      }
    >
      <Filters tier={tier} sort={sort} state={state} keyword={keyword} onChange={show} />
      {list.error ? (
        <div className="card">
          <ErrorState title={t('strategies.loadFailed')} error={list.error} onRetry={list.retry} />
        </div>
      ) : tier === 'all' && sort === 'score' && !list.loading && list.rows.length > 0 ? (
        <Sections strategies={list.rows} stale={list.stale} />
      ) : (
        <StrategyGrid
          strategies={list.rows}
          loading={list.loading}
          stale={list.stale}
          empty={
            <EmptyState
              text={t('strategies.none')}
              height={340}
              action={
                keyword !== '' && (
                  <Button tone="ghost" size="s" onClick={() => show({ keyword: '' })}>
                    {t('strategies.showAll')}
                  </Button>
                )
              }
            />
          }
        />
      )}
      <p className="sr-only" role="status">
        {list.total !== null && !list.stale && t('strategies.count', { count: list.total })}
      </p>
      <LoadMore list={list} />
      {search.create && (
        <CreateDialog
          onClose={() => void navigate({ search: ({ create: _gone, ...rest }) => rest, replace: true })}
          onCreated={(slug) => void navigate({ to: '/strategies/$slug', params: { slug } })}
        />
      )}
    </Page>
  );
}

/** The usual view: ranked strategies by score, and the new ones below them, all lines on one scale. */
function Sections({ strategies, stale }: { strategies: readonly Strategy[]; stale: boolean }) {
  const t = useT();
  const scale = commonScale(strategies);
  return (
    <div className="flex flex-col gap-6">
      {(['ranked', 'new'] as const).map((tier) => {
        const rows = strategies.filter((strategy) => strategy.tier === tier);
        if (tier === 'new' && rows.length === 0) return null;
        return (
          <section key={tier} aria-labelledby={`tier-${tier}`}>
            <h2 id={`tier-${tier}`}>{t(`strategies.tier.${tier}`)}</h2>
            <p className="mt-0.5 mb-2.5 text-sm text-muted">
              {tier === 'ranked' && rows.length === 0 ? t('strategies.noneRanked') : t(`strategies.tierText.${tier}`)}
            </p>
            {rows.length > 0 && (
              <StrategyGrid strategies={rows} loading={false} stale={stale} scale={scale} empty={null} />
            )}
          </section>
        );
      })}
    </div>
  );
}

/** Typing waits a moment before it reaches the address and the server; leaving by Enter or the clear button does not. */
function KeywordBox({ keyword, onKeyword }: { keyword: string; onKeyword: (text: string) => void }) {
  const t = useT();
  const [text, setText] = useState(keyword);
  const [known, setKnown] = useState(keyword);
  // Back and forward change the address under the box.
  if (known !== keyword) {
    setKnown(keyword);
    if (text.trim() !== keyword) setText(keyword);
  }
  useEffect(() => {
    if (text.trim() === keyword) return undefined;
    const timer = setTimeout(() => onKeyword(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- the callback is new with every render; only the text starts the wait.
  }, [text]);
  return (
    <Form
      role="search"
      aria-label={t('strategies.search')}
      className="ml-auto w-full md:w-72"
      onSubmit={() => onKeyword(text)}
    >
      <TextInput
        className="h-[36px]!"
        aria-label={t('strategies.search')}
        placeholder={t('strategies.searchPlaceholder')}
        maxLength={KEYWORD_LENGTH_MAX}
        value={text}
        onChange={(event) => setText(event.target.value)}
        before={<SearchIcon size={15} className="shrink-0 text-faint" />}
        after={
          text !== '' && (
            <button
              type="button"
              aria-label={t('strategies.clearSearch')}
              className="-mr-1 grid size-7 place-items-center rounded-md text-faint hover:text-text"
              onClick={() => {
                setText('');
                onKeyword('');
              }}
            >
              <CloseIcon size={14} />
            </button>
          )
        }
      />
    </Form>
  );
}

function Filters({
  tier,
  sort,
  state,
  keyword,
  onChange: show,
}: Required<Pick<SquareSearch, 'tier' | 'sort' | 'state' | 'keyword'>> & { onChange: (change: SquareSearch) => void }) {
  const t = useT();
  const sortOptions = sorts.map((key) => ({ key, label: t(`strategies.sort.${key}`) }));
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2.5">
      <SegmentedControl
        label={t('strategies.tierLabel')}
        value={tier}
        onChange={(key) => show({ tier: key })}
        options={tiers.map((key) => ({ key, label: t(`strategies.tier.${key}`) }))}
      />
      <SegmentedControl
        label={t('strategies.sortLabel')}
        value={sort}
        onChange={(key) => show({ sort: key })}
        options={sortOptions}
        className="max-md:hidden"
      />
      <Select
        aria-label={t('strategies.sortLabel')}
        value={sort}
        onValue={(key) => show({ sort: key })}
        options={sortOptions}
        className="min-w-32 flex-1 md:hidden"
      />
      <SegmentedControl
        label={t('strategies.stateLabel')}
        value={state}
        onChange={(key) => show({ state: key })}
        options={states.map((key) => ({ key, label: t(`strategies.state.${key}`) }))}
      />
      <KeywordBox keyword={keyword} onKeyword={(text) => show({ keyword: text })} />
    </div>
  );
}
