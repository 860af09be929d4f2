import { useElementSize } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import type { SiteColumn } from '@vigie/contracts/site-views';
import type { SiteItem } from '@vigie/contracts/sites';
import { memo, useEffect, useEffectEvent, useMemo } from 'react';
import { sortControls } from '../../kit/list/search-params';
import { type GroupNames, useGroupNames } from '../../kit/fleet/groups';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { useSignal } from '../../ui/signal';
import { actionsColumn, sortColumns, TableHead } from '../../kit/list/Table';
import table from '../../kit/list/Table.module.css';
import { AllRowsCheckbox } from '../../kit/list/RowCheckbox';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { useProgressiveList } from '../../kit/list/useProgressiveList';
import type { Selection } from '../../kit/list/useSelection';
import { splitRows, useVisibleRows } from '../../kit/list/useVisibleRows';
import { chosenColumns, columnWidths, fitColumns } from './columns';
import { type SiteActionHandlers, SiteActions } from './SiteActions';
import { Cell, Details, SiteLink, SiteCheckbox } from './SiteCells';
import styles from './SitesTable.module.css';
import { columns as sortable, type SitesSearch } from './search';
import { useRowKeys } from './useRowKeys';
import { type VisibleParts, partAt } from './useSites';
import { columnLabels } from './words';

export type ListProps = {
  count: number;
  rowAt: (row: number) => SiteItem | undefined;
  /** Whether rows far from the screen are left out of the document. */
  isLong: boolean;
  /** The index of the first row in the whole list, and the length of that list. */
  start: number;
  total: number;
  search: SitesSearch;
  actions: SiteActionHandlers;
  selection: Selection;
  onParts: (parts: VisibleParts) => void;
  onChange: (change: Partial<SitesSearch>) => void;
};

/** Reports which parts of a long list are near the screen, whenever they change. */
export function useReportParts(
  { first, last }: { first: number; last: number },
  focusedRow: number | undefined,
  onParts: (parts: VisibleParts) => void,
) {
  const report = useEffectEvent(onParts);
  const [from, to, focusedPart] = [
    partAt(first),
    partAt(Math.max(first, last)),
    focusedRow === undefined ? undefined : partAt(focusedRow),
  ];
  useEffect(() => report({ first: from, last: to, focused: focusedPart }), [from, to, focusedPart]);
}

type RowProps = Pick<ListProps, 'actions' | 'selection'> & {
  /** Undefined while it loads. */
  site: SiteItem | undefined;
  row: number;
  rowIndex: number;
  isActive: boolean;
  groupNames: GroupNames;
  columns: readonly SiteColumn[];
  details: readonly SiteColumn[];
};

const Row = memo(function Row({ site, row, rowIndex, isActive, ...rest }: RowProps) {
  const line = useFocusHandOver<HTMLTableRowElement>();
  return (
    <tr
      ref={line}
      className={styles['row']}
      data-index={row}
      aria-rowindex={rowIndex}
      aria-busy={!site || undefined}
      tabIndex={isActive ? 0 : -1}
      data-down={site?.status === 'error' || undefined}
    >
      {site ? (
        <Cells site={site} {...rest} />
      ) : (
        <td colSpan={rest.columns.length + 3}>
          <span className={styles['waiting']} />
          <VisuallyHidden>Chargement…</VisuallyHidden>
        </td>
      )}
    </tr>
  );
});

type CellsProps = Omit<RowProps, 'site' | 'row' | 'rowIndex' | 'isActive'> & { site: SiteItem };

const Cells = ({ site, groupNames, columns, details, actions, selection }: CellsProps) => (
  <>
    <td>
      <SiteCheckbox site={site} selection={selection} />
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
      <SiteActions site={site} actions={actions} />
    </td>
  </>
);

type HeadProps = Pick<ListProps, 'search' | 'selection' | 'onChange'> & { columns: readonly SiteColumn[] };

function Head({ search, selection, columns, onChange }: HeadProps) {
  const sorting = sortControls(sortable, columnLabels, search.sort, onChange);
  const titles = (['name', ...columns] as const).flatMap((column) => {
    const sorted = sortable.filter((name) => name === column);
    return sorted.length > 0 ? sortColumns({ ...sorting, columns: sorted }) : { column, label: columnLabels[column] };
  });
  const selectColumn = {
    column: 'select',
    label: <AllRowsCheckbox label="Sélectionner tous les sites affichés" selection={selection} />,
  };
  return <TableHead rowIndex={1} columns={[selectColumn, ...titles, actionsColumn]} />;
}

const rowHeight = 76;
/** Estimates the width of the list until it is measured. */
const sidebarWidth = 280;

function useRows({ count, rowAt, isLong, selection, onParts }: ListProps) {
  const navigate = useNavigate();
  const visibleRows = useVisibleRows<HTMLTableSectionElement>(count, isLong, rowHeight);
  const { active, focusedRow, keys } = useRowKeys(visibleRows.list, {
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
  useReportParts(visibleRows, focusedRow, onParts);
  return { ...visibleRows, active, keys, parts: splitRows(visibleRows.first, visibleRows.last, count, focusedRow) };
}

const Gap = ({ span, height }: { span: number; height: number }) => (
  <tr aria-hidden className={styles['gap']} style={{ height }}>
    <td colSpan={span}>
      <VisuallyHidden>…</VisuallyHidden>
    </td>
  </tr>
);

type ColumnLayout = ReturnType<typeof fitColumns>;

function Rows({ columns, details, ...props }: ListProps & ColumnLayout) {
  const { rowAt, isLong, start, actions, selection } = props;
  const groupNames = useGroupNames();
  const { list, parts, height, active, keys } = useRows(props);
  const orderedParts = useProgressiveList(parts);
  return (
    <tbody ref={list} {...keys}>
      {(isLong ? parts : orderedParts).map((part) => {
        if ('gap' in part) {
          return <Gap key={`gap ${part.after}`} span={columns.length + 3} height={part.gap * height} />;
        }
        const { row } = part;
        const site = rowAt(row);
        return (
          <Row
            // In a long list a row keeps its key, and so the focus, when its site arrives.
            key={isLong ? row : (site?.id ?? row)}
            {...{ site, row, groupNames, columns, details, actions, selection }}
            isActive={row === active}
            // `aria-rowindex` counts from 1, and the head is the first row.
            rowIndex={start + row + 2}
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
  const availableWidth = width || window.innerWidth - sidebarWidth;
  const layout = useMemo(() => fitColumns(availableWidth, chosen), [availableWidth, chosen]);
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
          {layout.columns.map((column) => (
            <col key={column} style={{ width: columnWidths[column] }} />
          ))}
          <col style={{ width: 160 }} />
        </colgroup>
        <Head search={search} selection={selection} columns={layout.columns} onChange={onChange} />
        <Rows {...props} {...layout} />
      </table>
    </div>
  );
}
