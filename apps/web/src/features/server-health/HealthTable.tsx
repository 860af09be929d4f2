import { Link } from '@tanstack/react-router';
import { type HealthItem, healthThresholds } from '@vigie/contracts/server-health';
import { sortControls } from '../../kit/list/search-params';
import { Sparkline } from '../../ui/Sparkline';
import { Status } from '../../ui/Status';
import { sortColumns, Table } from '../../kit/list/Table';
import table from '../../kit/list/Table.module.css';
import { useNarrow } from '../../ui/useNarrow';
import styles from './HealthTable.module.css';
import { Meter } from './Meter';
import { columns, type HealthSearch } from './search';
import { columnLabels, parseDisk, spellCount, spellLoad, stateOf } from './words';

const ServerName = ({ item }: { item: HealthItem }) => (
  <Link to="/servers" search={{ open: item.id }} className={table['link'] ?? ''}>
    {item.name}
  </Link>
);

const Load = ({ item }: { item: HealthItem }) => (
  <span className={styles['load']}>
    <span data-over={item.alerts.some(({ kind }) => kind === 'load') || undefined}>{spellLoad(item)}</span>
    <Sparkline health={item} />
  </span>
);

function Row({ item }: { item: HealthItem }) {
  const { tone, word } = stateOf(item);
  const disk = parseDisk(item.disk);
  return (
    <tr data-down={item.status === 'down' || undefined}>
      <th scope="row" className={table['name']}>
        <ServerName item={item} /> <Status tone={tone}>{word}</Status>
        <p className={table['more']}>{item.host}</p>
      </th>
      <td>
        <Load item={item} />
      </td>
      <td>
        <Meter percent={item.mem_pct} threshold={healthThresholds.memory} />
        {item.mem !== null && <p className={table['more']}>{item.mem}</p>}
      </td>
      <td>
        <Meter percent={disk.percent} threshold={healthThresholds.disk} />
        {disk.mount !== '' && <p className={table['more']}>{disk.mount}</p>}
      </td>
      <td>{spellCount(item.procs)}</td>
      <td>{spellCount(item.threads)}</td>
    </tr>
  );
}

function Card({ item }: { item: HealthItem }) {
  const { tone, word } = stateOf(item);
  const disk = parseDisk(item.disk);
  return (
    <li className={styles['card']} data-down={item.status === 'down' || undefined}>
      <div className={styles['head']}>
        <ServerName item={item} />
        <Status tone={tone}>{word}</Status>
      </div>
      <dl className={styles['facts']}>
        <dt>{columnLabels.load}</dt>
        <dd>
          <Load item={item} />
        </dd>
        <dt>{columnLabels.mem}</dt>
        <dd>
          <Meter percent={item.mem_pct} threshold={healthThresholds.memory} />
        </dd>
        <dt>{columnLabels.disk}</dt>
        <dd>
          <Meter percent={disk.percent} threshold={healthThresholds.disk} />
        </dd>
        <dt>{columnLabels.procs}</dt>
        <dd>{`${spellCount(item.procs)} · ${spellCount(item.threads)} threads`}</dd>
      </dl>
    </li>
  );
}

type Props = {
  items: readonly HealthItem[];
  search: HealthSearch;
  onChange: (change: HealthSearch) => void;
};

/** Lists the servers, as cards on a narrow screen. */
export function HealthTable({ items, search, onChange }: Props) {
  const isNarrow = useNarrow();
  if (isNarrow) {
    return (
      <ul>
        {items.map((item) => (
          <Card key={item.id} item={item} />
        ))}
      </ul>
    );
  }
  return (
    <Table
      className={styles['table']}
      columns={sortColumns(sortControls(columns, columnLabels, search.sort, onChange))}
    >
      <tbody>
        {items.map((item) => (
          <Row key={item.id} item={item} />
        ))}
      </tbody>
    </Table>
  );
}
