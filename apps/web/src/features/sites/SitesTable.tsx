import { useElementSize } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import type { SiteColumn } from '@vigie/contracts/site-views';
import type { SiteItem } from '@vigie/contracts/sites';
import { type ReactNode, useMemo, useState } from 'react';
import { useGroupNames } from '../../kit/fleet/groups';
import { actionsColumn, type Column, type RowSelection } from '../../kit/list/data-table';
import { DataTable } from '../../kit/list/DataTable';
import { sortControls } from '../../kit/list/search-params';
import type { Selection } from '../../kit/list/useSelection';
import cards from '../../ui/Cards.module.css';
import { useSignal } from '../../ui/signal';
import { useNarrow } from '../../ui/useNarrow';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { cardDetails, chosenColumns, columnWidths, fitColumns } from './columns';
import { type SiteActionHandlers, SiteActions, Cell, Details, SiteLink, HttpBadge, SiteStatusBadge } from './SiteCells';
import { columns as sortable, type SitesSearch } from './search';
import styles from './sites.module.css';
import { useRowKeys } from './useRowKeys';
import { partAt, type VisibleParts } from './useSites';
import { columnLabels as labels } from './words';

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

/** The site is undefined while it loads. */
type SiteRow = { row: number; site: SiteItem | undefined };

const Waiting = () => (
  <>
    <span className={styles['placeholder']} />
    <VisuallyHidden>Chargement…</VisuallyHidden>
  </>
);

/** Estimates the width of the list until it is measured. */
const sidebarWidth = 280;

function useColumns(width: number, actions: SiteActionHandlers) {
  const chosen = useSignal(chosenColumns);
  const groupNames = useGroupNames();
  return useMemo(() => {
    const { columns, details } = fitColumns(width || window.innerWidth - sidebarWidth, chosen);
    const columnOf = (column: SiteColumn): Column<SiteRow> => ({
      id: column,
      label: labels[column],
      width: columnWidths[column],
      isMuted: true,
      render: ({ site }) => site && <Cell column={column} site={site} groupNames={groupNames} />,
    });
    const nameColumn: Column<SiteRow> = {
      id: 'name',
      label: labels.name,
      isRowHeader: true,
      render: ({ site }) =>
        site ? (
          <>
            <SiteLink site={site} />
            <Details site={site} groupNames={groupNames} columns={details} />
          </>
        ) : (
          <Waiting />
        ),
    };
    const buttons: Column<SiteRow> = {
      ...actionsColumn,
      width: 160,
      render: ({ site }) => site && <SiteActions site={site} actions={actions} />,
    };
    return [nameColumn, ...columns.map(columnOf), buttons];
  }, [width, chosen, groupNames, actions]);
}

type CardProps = { site: SiteItem | undefined; checkbox: ReactNode; actions: SiteActionHandlers };

function Card({ site, checkbox, actions }: CardProps) {
  const chosen = useSignal(chosenColumns);
  const groupNames = useGroupNames();
  if (!site) return <div className={styles['card']} />;
  return (
    <div className={styles['card']}>
      <div className={`${cards['head']} ${styles['cardHead']}`}>
        {checkbox}
        <SiteLink site={site} />
        {chosen.includes('http') && <HttpBadge http={site.http} />}
        {chosen.includes('status') && <SiteStatusBadge site={site} />}
      </div>
      <div className={`${cards['foot']} ${styles['cardFoot']}`}>
        <Details site={site} groupNames={groupNames} columns={cardDetails(chosen)} />
        <SiteActions site={site} actions={actions} />
      </div>
    </div>
  );
}

function useKeys(list: HTMLElement | null, { count, rowAt, selection }: ListProps) {
  const navigate = useNavigate();
  return useRowKeys(list, {
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
}

/** One object for as long as the selection stays, so that a move of the focus renders no other row. */
const useRowSelection = (selection: Selection): RowSelection<SiteRow> =>
  useMemo(
    () => ({
      selection,
      allLabel: 'Sélectionner tous les sites affichés',
      rowLabel: ({ site }) => site && `Sélectionner ${site.name}`,
    }),
    [selection],
  );

export function SitesTable(props: ListProps) {
  const { count, rowAt, isLong, start, total, search, actions, selection, onParts, onChange } = props;
  const isNarrow = useNarrow();
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [list, setList] = useState<HTMLElement | null>(null);
  const { active, focusedRow, keys } = useKeys(list, props);
  const rows = useMemo(() => Array.from({ length: count }, (_, row) => ({ row, site: rowAt(row) })), [count, rowAt]);
  const reportParts = (first: number, last: number) =>
    onParts({ first: partAt(first), last: partAt(Math.max(first, last)), focused: focusedRow && partAt(focusedRow) });
  return (
    <div ref={ref}>
      <DataTable
        className={styles['table']}
        rows={rows}
        rowId={({ row, site }) => site?.id ?? `row ${row}`}
        columns={useColumns(width, actions)}
        sorting={sortControls(sortable, labels, search.sort, onChange)}
        selection={useRowSelection(selection)}
        rowProps={({ row, site }) => ({
          'aria-busy': !site || undefined,
          'data-down': site?.status === 'error' || undefined,
          ...(!isNarrow && { tabIndex: row === active ? 0 : -1 }),
        })}
        bodyProps={{ ref: setList, ...(!isNarrow && keys) }}
        long={{ isLong, start, total, body: list, focusedRow, onRange: reportParts }}
        renderCard={({ site }, checkbox) => <Card site={site} checkbox={checkbox} actions={actions} />}
      />
    </div>
  );
}
