import type { DnsRecord } from '@vigie/contracts/dns-records';
import { Pencil, Trash2 } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { IconButton } from '../../ui/IconButton';
import type { Sorting } from '../../ui/SortChoice';
import { Status } from '../../ui/Status';
import { actionsColumn, sortColumns, Table } from '../../ui/Table';
import table from '../../ui/Table.module.css';
import { Tick, TickAll } from '../../ui/Tick';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { useInTurn } from '../../ui/useInTurn';
import { useMovable } from '../../ui/useMovable';
import { useNarrow } from '../../ui/useNarrow';
import type { Selection } from '../../ui/useSelection';
import { pointsTo } from './points';
import styles from './RecordsTable.module.css';
import { recordColumns } from './search';
import type { ServerOfZone } from './useServerOfZone';
import { spellProxied, spellTtl } from './words';

type Column = (typeof recordColumns)[number];
type Deeds = { edit: (record: DnsRecord) => void; remove: (record: DnsRecord) => void };
type RowProps = {
  record: DnsRecord;
  /** The server of the linked site, where the record leads there. */
  server: string | undefined;
  selection: Selection;
  deeds: Deeds;
};

export const recordColumnLabels: Readonly<Record<Column, string>> = {
  name: 'Nom',
  type: 'Type',
  content: 'Contenu',
  ttl: 'TTL',
};

const nameOf = ({ type, display_name: name }: DnsRecord) => `${type} ${name}`;

function Content({ record, server }: Pick<RowProps, 'record' | 'server'>) {
  return (
    <>
      <span className={styles['content']}>
        {record.priority !== null && <span className={styles['priority']}>{`${record.priority} `}</span>}
        {record.content}
      </span>
      {record.comment !== null && <p className={table['more']}>{record.comment}</p>}
      {server !== undefined && <Status tone="ok">{`pointe vers le serveur ${server}`}</Status>}
    </>
  );
}

const Actions = ({ record, deeds }: Pick<RowProps, 'record' | 'deeds'>) =>
  record.editable ? (
    <div className={styles['actions']}>
      <IconButton isAtEdge icon={Pencil} label={`Modifier ${nameOf(record)}`} onClick={() => deeds.edit(record)} />
      <IconButton isAtEdge icon={Trash2} label={`Supprimer ${nameOf(record)}`} onClick={() => deeds.remove(record)} />
    </div>
  ) : (
    <span className={styles['locked']} title="Ce type se modifie chez Cloudflare.">
      Lecture seule
    </span>
  );

const Choose = ({ record, selection }: Pick<RowProps, 'record' | 'selection'>) =>
  record.editable ? (
    <Tick
      label={`Sélectionner ${nameOf(record)}`}
      isOn={selection.ids.includes(record.id)}
      onChange={(isOn, isRange) => selection.choose(record.id, isOn, isRange)}
    />
  ) : null;

function Row({ record, server, selection, deeds }: RowProps) {
  const line = useFocusHandOver<HTMLTableRowElement>();
  return (
    <tr ref={line}>
      <td>
        <Choose record={record} selection={selection} />
      </td>
      <th scope="row" className={styles['name']}>
        {record.display_name}
      </th>
      <td>{record.type}</td>
      <td>
        <Content record={record} server={server} />
      </td>
      <td>{spellTtl(record.ttl)}</td>
      <td className={styles['proxied']} data-on={record.proxied || undefined}>
        {spellProxied(record)}
      </td>
      <td>
        <Actions record={record} deeds={deeds} />
      </td>
    </tr>
  );
}

function Card({ record, server, selection, deeds }: RowProps) {
  const card = useFocusHandOver<HTMLDivElement>();
  return (
    <div ref={card} className={styles['card']}>
      <Choose record={record} selection={selection} />
      <div className={styles['about']}>
        <p>
          <strong className={styles['name']}>{record.display_name}</strong> {record.type}
        </p>
        <Content record={record} server={server} />
        <p className={table['more']}>
          {[`TTL ${spellTtl(record.ttl)}`, spellProxied(record)].filter((text) => text !== '—').join(' · ')}
        </p>
      </div>
      <Actions record={record} deeds={deeds} />
    </div>
  );
}

type Props = {
  records: readonly DnsRecord[];
  server: ServerOfZone | undefined;
  selection: Selection;
  deeds: Deeds;
  sorting: Sorting<Column>;
  /** The record whose form is open in its row, or `new`. */
  open: string | undefined;
  editor: ReactNode;
};

type Shown = Omit<Props, 'server'> & { serverOf: (record: DnsRecord) => string | undefined };

const Cards = ({ records, serverOf, selection, deeds, open, editor }: Shown) => (
  <>
    {open === 'new' && editor}
    <ul aria-label="Enregistrements">
      {records.map((record) => (
        <li key={record.id}>
          <Card record={record} server={serverOf(record)} selection={selection} deeds={deeds} />
          {open === record.id && editor}
        </li>
      ))}
    </ul>
  </>
);

function Rows({ records, serverOf, open, editor, sorting, ...rest }: Shown) {
  const columns = [
    {
      column: 'select',
      label: <TickAll label="Sélectionner tous les enregistrements affichés" selection={rest.selection} />,
    },
    ...sortColumns(sorting),
    { column: 'proxied', label: 'Proxy' },
    actionsColumn,
  ];
  const row = (
    <tr className={styles['editor']}>
      <td colSpan={columns.length}>{editor}</td>
    </tr>
  );
  return (
    <Table aria-label="Enregistrements" className={styles['table']} columns={columns}>
      <tbody>
        {open === 'new' && row}
        {records.map((record) => (
          <Fragment key={record.id}>
            <Row record={record} server={serverOf(record)} {...rest} />
            {open === record.id && row}
          </Fragment>
        ))}
      </tbody>
    </Table>
  );
}

/** The records of a zone; the form of one opens in its own row. On a phone each is a card. */
export function RecordsTable({ records, server, editor, ...rest }: Props) {
  const isNarrow = useNarrow();
  const { moved, place } = useMovable(editor);
  const inTurn = useInTurn(records);
  const serverOf = (record: DnsRecord) => (server && pointsTo(record, server.host, records) ? server.name : undefined);
  const Shape = isNarrow ? Cards : Rows;
  return (
    <>
      {moved}
      <Shape {...rest} records={inTurn} serverOf={serverOf} editor={place} />
    </>
  );
}
