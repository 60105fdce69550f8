import { DISCOVER_LISTS } from '@hunter/domain/market/discover';
import type { DiscoverList } from '@hunter/domain/market/discover';
import { useT } from '../../i18n/i18n.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Select } from '../../ui/select.tsx';

export function ListChoice({ list, onList }: { list: DiscoverList; onList: (list: DiscoverList) => void }) {
  const t = useT();
  const options = DISCOVER_LISTS.map((key) => ({ key, label: t(`discover.list.${key}`) }));
  return (
    <>
      <SegmentedControl
        label={t('discover.lists')}
        value={list}
        onChange={onList}
        options={options}
        className="max-lg:hidden"
      />
      <Select
        aria-label={t('discover.lists')}
        value={list}
        onValue={onList}
        options={options}
        className="w-44 lg:hidden"
      />
    </>
  );
}
