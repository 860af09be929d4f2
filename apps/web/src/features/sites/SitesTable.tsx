import { useElementSize } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import type { SiteColumn } from '@vigie/contracts/site-views';
import type { SiteItem } from '@vigie/contracts/sites';
import { memo, useEffect, useEffectEvent, useMemo } from 'react';
import { sortingOf } from '../../app/address';
import { type GroupNames, useGroupNames } from '../../app/groups';
import { Hidden } from '../../ui/Hidden';
import { useSignal } from '../../ui/signal';
import { actionsColumn, sortColumns, TableHead } from '../../ui/Table';
import table from '../../ui/Table.module.css';
import { TickAll } from '../../ui/Tick';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { useInTurn } from '../../ui/useInTurn';
import type { Selection } from '../../ui/useSelection';
import { partsOf, useWindow } from '../../ui/useWindow';
import { chosenColumns, columnWidths, fitColumns } from './columns';
import { type Deeds, SiteActions } from './SiteActions';
import { Cell, Details, SiteLink, SiteTick } from './SiteCells';
import styles from './SitesTable.module.css';
import { columns as sortable, type SitesSearch } from './search';
import { useRowKeys } from './useRowKeys';
import { type Parts, partAt } from './useSites';
import { columnLabels } from './words';

export type ListProps = {
  count: number;
  rowAt: (row: number) => SiteItem | undefined;
  /** Rows that are far from the screen are not there. */
  isLong: boolean;
  /** Which place in the whole list the first row has, and how long that is. */
  start: number;
  total: number;
  search: SitesSearch;
  deeds: Deeds;
  selection: Selection;
  onParts: (parts: Parts) => void;
  onChange: (change: Partial<SitesSearch>) => void;
};

/** Tells which parts of a long list are near the screen, each time that they are others. */
export function useToldParts(
  { first, last }: { first: number; last: number },
  held: number | undefined,
  onParts: (parts: Parts) => void,
) {
  const tell = useEffectEvent(onParts);
  const [from, to, apart] = [
    partAt(first),
    partAt(Math.max(first, last)),
    held === undefined ? undefined : partAt(held),
  ];
  useEffect(() => tell({ first: from, last: to, held: apart }), [from, to, apart]);
}

type RowProps = Pick<ListProps, 'deeds' | 'selection'> & {
  /** Undefined while it is asked for. */
  site: SiteItem | undefined;
  row: number;
  place: number;
  isActive: boolean;
  groupNames: GroupNames;
  columns: readonly SiteColumn[];
  details: readonly SiteColumn[];
};

const Row = memo(function Row({ site, row, place, isActive, ...rest }: RowProps) {
  const line = useFocusHandOver<HTMLTableRowElement>();
  return (
    <tr
      ref={line}
      className={styles['row']}
      data-index={row}
      aria-rowindex={place}
      aria-busy={!site || undefined}
      tabIndex={isActive ? 0 : -1}
      data-down={site?.status === 'error' || undefined}
    >
      {site ? (
        <Cells site={site} {...rest} />
      ) : (
        <td colSpan={rest.columns.length + 3}>
          <span className={styles['waiting']} />
          <Hidden>Chargement…</Hidden>
        </td>
      )}
    </tr>
  );
});

type CellsProps = Omit<RowProps, 'site' | 'row' | 'place' | 'isActive'> & { site: SiteItem };

const Cells = ({ site, groupNames, columns, details, deeds, selection }: CellsProps) => (
  <>
    <td>
      <SiteTick site={site} selection={selection} />
    </td>
    <th scope="row" className={table['name']}>
      <SiteLink site={site} />
      <Details site={site} groupNames={groupNames} columns={details} />
    </th>
    {columns.map((column) => (
      <td key={column}>
        <Cell column={column} site={site} groupNames={groupNames} />
      </td>
    ))}
    <td>
      <SiteActions site={site} deeds={deeds} />
    </td>
  </>
);

type HeadProps = Pick<ListProps, 'search' | 'selection' | 'onChange'> & { columns: readonly SiteColumn[] };

function Head({ search, selection, columns, onChange }: HeadProps) {
  const sorting = sortingOf(sortable, columnLabels, search.sort, onChange);
  const titles = (['name', ...columns] as const).flatMap((column) => {
    const sorted = sortable.filter((name) => name === column);
    return sorted.length > 0 ? sortColumns({ ...sorting, columns: sorted }) : { column, label: columnLabels[column] };
  });
  const all = {
    column: 'select',
    label: <TickAll label="Sélectionner tous les sites affichés" selection={selection} />,
  };
  return <TableHead place={1} columns={[all, ...titles, actionsColumn]} />;
}

const rowHeight = 76;
/** Beside the list, as long as nothing is measured. */
const aside = 280;

function useRows({ count, rowAt, isLong, selection, onParts }: ListProps) {
  const navigate = useNavigate();
  const near = useWindow<HTMLTableSectionElement>(count, isLong, rowHeight);
  const { active, held, keys } = useRowKeys(near.list, {
    count,
    onOpen: (row) => {
      const site = rowAt(row);
      if (site) void navigate({ to: '/sites/$siteId', params: { siteId: site.id }, search: {} });
    },
    onToggle: (row, isRange) => {
      const site = rowAt(row);
      if (site) selection.choose(site.id, !selection.ids.includes(site.id), isRange);
    },
  });
  useToldParts(near, held, onParts);
  return { ...near, active, keys, parts: partsOf(near.first, near.last, count, held) };
}

const Gap = ({ span, height }: { span: number; height: number }) => (
  <tr aria-hidden className={styles['gap']} style={{ height }}>
    <td colSpan={span}>
      <Hidden>…</Hidden>
    </td>
  </tr>
);

type Shape = ReturnType<typeof fitColumns>;

function Rows({ columns, details, ...props }: ListProps & Shape) {
  const { rowAt, isLong, start, deeds, selection } = props;
  const groupNames = useGroupNames();
  const { list, parts, height, active, keys } = useRows(props);
  const inTurn = useInTurn(parts);
  return (
    <tbody ref={list} {...keys}>
      {(isLong ? parts : inTurn).map((part) => {
        if ('gap' in part) {
          return <Gap key={`gap ${part.after}`} span={columns.length + 3} height={part.gap * height} />;
        }
        const { row } = part;
        const site = rowAt(row);
        return (
          <Row
            // A row that is asked for keeps the focus once it is there.
            key={isLong ? row : (site?.id ?? row)}
            {...{ site, row, groupNames, columns, details, deeds, selection }}
            isActive={row === active}
            // The head is a row too.
            place={start + row + 2}
          />
        );
      })}
    </tbody>
  );
}

export function SitesTable(props: ListProps) {
  const { isLong, total, search, selection, onChange } = props;
  const { ref, width } = useElementSize<HTMLDivElement>();
  const chosen = useSignal(chosenColumns);
  const room = width || window.innerWidth - aside;
  const shape = useMemo(() => fitColumns(room, chosen), [room, chosen]);
  return (
    <div ref={ref}>
      <table
        className={`${table['table']} ${styles['table']}`}
        data-long={isLong || undefined}
        aria-rowcount={total + 1}
      >
        <colgroup>
          <col style={{ width: 40 }} />
          <col />
          {shape.columns.map((column) => (
            <col key={column} style={{ width: columnWidths[column] }} />
          ))}
          <col style={{ width: 160 }} />
        </colgroup>
        <Head search={search} selection={selection} columns={shape.columns} onChange={onChange} />
        <Rows {...props} {...shape} />
      </table>
    </div>
  );
}
