// The component set at a glance, in development only. Its texts are for developers and are not translated.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Address } from '../../ui/address.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Chip } from '../../ui/chip.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Field } from '../../ui/field.tsx';
import { MoonIcon } from '../../ui/icons.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Count, Percent, Sol, Usd } from '../../ui/numbers.tsx';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { KeyValue, Stat } from '../../ui/stat.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table.tsx';
import type { Sort } from '../../ui/table-sort.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { NumberInput, TextInput } from '../../ui/text-input.tsx';
import { toast } from '../../ui/toast-store.ts';
import { TokenAvatar } from '../../ui/token-avatar.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { UserAvatar } from '../../ui/user-avatar.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';

type Row = { id: number; name: string; price: string; change: string; sol: string };
const rows: Row[] = Array.from({ length: 500 }, (_, id) => ({
  id,
  name: `TOKEN${id}`,
  price: (0.0000001 * 3 ** (id % 24)).toFixed(12),
  change: ((id * 37) % 200) - 100 + '.5',
  sol: String((id * 13) % 29),
}));
const columns: Column<Row>[] = [
  { key: 'name', header: 'Name', align: 'start', cell: (row) => row.name },
  { key: 'price', header: 'Price', sortable: true, cell: (row) => <Usd value={row.price} /> },
  { key: 'change', header: '24h', sortable: true, cell: (row) => <Percent value={row.change} /> },
  { key: 'sol', header: 'SOL', cell: (row) => <Sol value={row.sol} />, from: 'sm' },
];
const aMinuteAgo = Date.now() - 65_000;
const walk = Array.from({ length: 48 }, (_, index) => Math.sin(index / 5) + index / 14);

export default function DevComponentsPage() {
  const [text, setText] = useState('');
  const [amount, setAmount] = useState('0.5');
  const [checked, setChecked] = useState(true);
  const [segment, setSegment] = useState<'a' | 'b' | 'c'>('a');
  const [book, setBook] = useState<'personal' | 'frog'>('personal');
  const [tab, setTab] = useState<'one' | 'two'>('one');
  const [sort, setSort] = useState<Sort | null>(null);
  const [dialog, setDialog] = useState<'dialog' | 'confirm' | null>(null);
  return (
    <Page title="Components" text="Everything in ui/, for both themes.">
      <div className="grid gap-4 lg:grid-cols-2">
        <Section title="Button, IconButton">
          <Button>Accent</Button>
          <Button tone="ghost">Ghost</Button>
          <Button tone="plain">Plain</Button>
          <Button tone="buy">Buy</Button>
          <Button tone="sell">Sell</Button>
          <Button pending>Pending</Button>
          <Button disabled>Disabled</Button>
          <Button size="s" tone="ghost">
            Small
          </Button>
          <IconButton label="Icon button">
            <MoonIcon />
          </IconButton>
        </Section>
        <Section title="Field, TextInput, NumberInput, Checkbox, Select">
          <Field label="Name" hint="A hint" className="w-full">
            {(input) => <TextInput {...input} value={text} onChange={(event) => setText(event.target.value)} />}
          </Field>
          <Field label="Amount" error={amount === '' ? 'Please enter the amount (SOL)' : null} className="w-full">
            {(input) => <NumberInput {...input} value={amount} onValue={setAmount} after={<span>SOL</span>} />}
          </Field>
          <Checkbox label="Checkbox" checked={checked} onChecked={setChecked} />
          <Select
            aria-label="Book"
            value={book}
            onValue={setBook}
            options={[
              { key: 'personal', label: 'Personal' },
              { key: 'frog', label: 'Frog season' },
            ]}
          />
        </Section>
        <Section title="SegmentedControl, Menu, Tooltip, Chip">
          <SegmentedControl
            label="Segments"
            value={segment}
            onChange={setSegment}
            options={[
              { key: 'a', label: '5m' },
              { key: 'b', label: '1h' },
              { key: 'c', label: '24h' },
            ]}
          />
          <Menu
            label="Menu"
            trigger="Menu"
            align="start"
            triggerClassName="rounded-lg border border-line px-3 py-1.5"
            items={[
              { key: '1', label: 'First', onSelect: () => toast.info('First') },
              { key: '2', label: 'Second', onSelect: () => toast.info('Second') },
            ]}
          />
          <Tooltip text="An explanation">
            <button type="button">Tooltip</button>
          </Tooltip>
          <Chip>plain</Chip>
          <Chip tone="accent">accent</Chip>
          <Chip tone="gold">gold</Chip>
          <Chip tone="warn">warn</Chip>
          <Chip tone="up">up</Chip>
          <Chip tone="down">down</Chip>
        </Section>
        <Section title="Numbers, times, addresses, pictures">
          <Usd value="1234567.8" />
          <Usd value="0.0000000123" />
          <Usd value="-12.5" tone />
          <Sol value="0.0312" />
          <Percent value="12.5" />
          <Percent value="-3" />
          <Percent value={null} />
          <Count value={1_820_400_000} />
          <RelativeTime timeMs={aMinuteAgo} />
          <Address address="7xKqP9v3mJtQ2rT8wYbN4sLhF6cDgE5aZxUkViWoRpSq" />
          <TokenAvatar src={null} />
          <UserAvatar name="ann@example.com" />
          <Sparkline values={walk} />
        </Section>
        <Section title="Stat, KeyValue">
          <Stat label="Yield rate">
            <Percent value="64.2" />
          </Stat>
          <Stat label="Followers">212</Stat>
          <KeyValue label="Fees" className="w-full">
            <Sol value="0.0015" />
          </KeyValue>
        </Section>
        <Section title="Dialog, ConfirmDialog, Toast">
          <Button tone="ghost" onClick={() => setDialog('dialog')}>
            Dialog
          </Button>
          <Button tone="ghost" onClick={() => setDialog('confirm')}>
            Confirm
          </Button>
          <Button tone="ghost" onClick={() => toast.success('Trade successful')}>
            Success
          </Button>
          <Button tone="ghost" onClick={() => toast.error('Network connection failed')}>
            Error
          </Button>
        </Section>
        <Section title="States">
          <div className="w-full">
            <EmptyState />
            <ErrorState onRetry={() => toast.info('Retry')} />
            <Spinner height={120} />
            <Skeleton />
          </div>
        </Section>
        <section className="card overflow-hidden">
          <Tabs
            label="Tabs"
            value={tab}
            onChange={setTab}
            items={[
              {
                key: 'one',
                label: 'Table',
                content: (
                  <Table
                    label="Table"
                    columns={columns}
                    rows={rows.slice(0, 12)}
                    rowKey={(row) => String(row.id)}
                    sort={sort}
                    onSort={setSort}
                    maxHeight={360}
                  />
                ),
              },
              {
                key: 'two',
                label: 'VirtualTable',
                content: (
                  <VirtualTable
                    label="Virtual table"
                    columns={columns}
                    rows={rows}
                    rowKey={(row) => String(row.id)}
                    tracks="minmax(0,1fr) 90px 90px 90px"
                    height={360}
                  />
                ),
              },
            ]}
          />
        </section>
      </div>
      <Dialog
        open={dialog === 'dialog'}
        onClose={() => setDialog(null)}
        title="A dialog"
        description="What it is about"
      >
        Content
      </Dialog>
      <ConfirmDialog
        open={dialog === 'confirm'}
        onClose={() => setDialog(null)}
        title="Sell everything?"
        onConfirm={() => setDialog(null)}
      />
    </Page>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card p-4">
      <h2 className="mb-3">{title}</h2>
      <div className="flex flex-wrap items-center gap-3">{children}</div>
    </section>
  );
}
