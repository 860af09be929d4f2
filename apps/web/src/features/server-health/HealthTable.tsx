import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { HealthItem } from '@vigie/contracts/server-health';
import { healthThresholds } from '@vigie/contracts/server-state';
import type { Column } from '../../kit/list/data-table';
import { DataTable } from '../../kit/list/DataTable';
import { sortControls } from '../../kit/list/search-params';
import { healthState } from '../../kit/words/server-state';
import about from '../../ui/About.module.css';
import { Sparkline } from '../../ui/Sparkline';
import { Status } from '../../ui/Status';
import links from '../../ui/links.module.css';
import table from '../../kit/list/list.module.css';
import styles from './server-health.module.css';
import { columns as sortable, type HealthSearch } from './search';
import { columnLabels as labels, parseDisk, spellCount, spellLoad, spellPercent } from './words';

type MeterProps = { percent: number | null; threshold: number };

/** Shows a percentage as a bar, with a notch at the alert threshold. */
function Meter({ percent, threshold }: MeterProps) {
  return (
    <span className={styles['meter']}>
      <span className={styles['value']}>{spellPercent(percent)}</span>
      {percent !== null && (
        <svg width={56} height={8} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden className={styles['bar']}>
          <rect width={100} height={8} className={styles['room']} />
          <rect width={percent} height={8} data-over={percent >= threshold || undefined} className={styles['used']} />
          <rect x={threshold} width={2} height={8} className={styles['notch']} />
        </svg>
      )}
    </span>
  );
}

const ServerName = ({ item }: { item: HealthItem }) => (
  <Link to="/servers/$serverId" params={{ serverId: item.id }} className={links['name'] ?? ''}>
    {item.name}
  </Link>
);

const Load = ({ item }: { item: HealthItem }) => (
  <span className={styles['load']}>
    <span data-over={item.alerts.some(({ kind }) => kind === 'load') || undefined}>{spellLoad(item)}</span>
    <Sparkline health={item} />
  </span>
);

function Name({ item }: { item: HealthItem }) {
  const { tone, word } = healthState(item);
  return (
    <>
      <ServerName item={item} /> <Status tone={tone}>{word}</Status>
      <p className={table['more']}>{item.host}</p>
    </>
  );
}

function Disk({ item }: { item: HealthItem }) {
  const { percent, mount } = parseDisk(item.disk);
  return (
    <>
      <Meter percent={percent} threshold={healthThresholds.disk} />
      {mount !== '' && <p className={table['more']}>{mount}</p>}
    </>
  );
}

const columns: readonly Column<HealthItem>[] = [
  { id: 'name', label: labels.name, width: '30%', isRowHeader: true, render: (item) => <Name item={item} /> },
  { id: 'load', label: labels.load, width: '22%', render: (item) => <Load item={item} /> },
  {
    id: 'mem',
    label: labels.mem,
    render: (item) => (
      <>
        <Meter percent={item.mem_pct} threshold={healthThresholds.memory} />
        {item.mem !== null && (
          <p className={table['more']} style={{ whiteSpace: 'nowrap' }}>
            {item.mem}
          </p>
        )}
      </>
    ),
  },
  { id: 'disk', label: labels.disk, render: (item) => <Disk item={item} /> },
  { id: 'procs', label: labels.procs, width: 96, render: ({ procs }) => spellCount(procs) },
  { id: 'threads', label: labels.threads, width: 96, render: ({ threads }) => spellCount(threads) },
];

function Card({ item }: { item: HealthItem }) {
  const { tone, word } = healthState(item);
  const disk = parseDisk(item.disk);
  return (
    <div className={styles['card']}>
      <div className={styles['head']}>
        <ServerName item={item} />
        <Status tone={tone}>{word}</Status>
      </div>
      <Box component="dl" fz={13} className={about['about'] ?? ''}>
        <dt>{labels.load}</dt>
        <dd>
          <Load item={item} />
        </dd>
        <dt>{labels.mem}</dt>
        <dd>
          <Meter percent={item.mem_pct} threshold={healthThresholds.memory} />
        </dd>
        <dt>{labels.disk}</dt>
        <dd>
          <Meter percent={disk.percent} threshold={healthThresholds.disk} />
        </dd>
        <dt>{labels.procs}</dt>
        <dd>{`${spellCount(item.procs)} · ${spellCount(item.threads)} threads`}</dd>
      </Box>
    </div>
  );
}

type Props = {
  items: readonly HealthItem[];
  search: HealthSearch;
  onChange: (change: HealthSearch) => void;
};

export const HealthTable = ({ items, search, onChange }: Props) => (
  <DataTable
    className={styles['table']}
    focusTo="#server-health input"
    rows={items}
    rowId={({ id }) => id}
    columns={columns}
    sorting={sortControls(sortable, labels, search.sort, onChange)}
    rowProps={({ status }) => ({ 'data-down': status === 'down' || undefined })}
    renderCard={(item) => <Card item={item} />}
  />
);
