import { useElementSize } from '@mantine/hooks';
import type { SiteColumn } from '@vigie/contracts/site-views';
import type { SiteItem } from '@vigie/contracts/sites';
import { type ReactNode, useMemo } from 'react';
import { useGroupNames } from '../../kit/fleet/groups';
import type { Heartbeats } from '../../kit/fleet/uptime';
import { actionsColumn, type Column, type RowSelection } from '../../kit/list/data-table';
import { DataTable } from '../../kit/list/DataTable';
import { sortControls } from '../../kit/list/search-params';
import type { Selection } from '../../kit/list/useSelection';
import { useSignal } from '../../ui/signal';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { cardDetails, chosenColumns, columnWidths, fitColumns, isCompact } from './columns';
import { RowActions, type RowActionHandlers, RowMenu } from './RowActions';
import { Cell, Details, HttpBadge, SiteName } from './SiteCells';
import { columns as sortable, firstSort, type SitesSearch } from './search';
import styles from './sites.module.css';
import { partAt, type VisibleParts } from './useSites';
import { columnLabels as labels, spellAlarm } from './words';

export type ListProps = {
  count: number;
  rowAt: (row: number) => SiteItem | undefined;
  /** Whether rows far from the screen are left out of the document. */
  isLong: boolean;
  /** The index of the first row in the whole list, and the length of that list. */
  start: number;
  total: number;
  search: SitesSearch;
  /** Of the loaded sites, while their column is chosen. */
  heartbeats: Heartbeats;
  actions: RowActionHandlers;
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

function useColumns(width: number, heartbeats: Heartbeats, actions: RowActionHandlers) {
  const chosen = useSignal(chosenColumns);
  const groupNames = useGroupNames();
  return useMemo(() => {
    const columns = fitColumns(width || window.innerWidth - sidebarWidth, chosen);
    const columnOf = (column: SiteColumn): Column<SiteRow> => ({
      id: column,
      label: labels[column],
      width: columnWidths[column],
      isMuted: true,
      render: ({ site }) => site && <Cell column={column} {...{ site, groupNames, heartbeats }} />,
    });
    const nameColumn: Column<SiteRow> = {
      id: 'name',
      label: labels.name,
      isRowHeader: true,
      render: ({ site }) =>
        site ? <SiteName site={site} withHttp={columns.includes('http')} withOwner /> : <Waiting />,
    };
    const buttons: Column<SiteRow> = {
      ...actionsColumn,
      width: 160,
      render: ({ site }) => site && <RowActions site={site} actions={actions} />,
    };
    return [nameColumn, ...columns.map(columnOf), buttons];
  }, [width, chosen, groupNames, heartbeats, actions]);
}

type CardProps = Pick<ListProps, 'heartbeats' | 'actions'> & { site: SiteItem | undefined; checkbox: ReactNode };

/** A site in two lines. An alarm takes the place of the HTTP badge, which would leave no room for the name. */
function Card({ site, heartbeats, checkbox, actions }: CardProps) {
  const chosen = useSignal(chosenColumns);
  const groupNames = useGroupNames();
  if (!site) return <div className={styles['card']} />;
  const isNoticed = site.work !== null || spellAlarm(site) !== undefined;
  return (
    <div className={styles['card']}>
      {checkbox}
      <div>
        <div className={styles['cardHead']}>
          <SiteName site={site} withHttp={false} withOwner={false} />
          {!isNoticed && chosen.includes('http') && <HttpBadge http={site.http} />}
        </div>
        <Details {...{ site, groupNames, heartbeats }} columns={cardDetails(chosen)} />
      </div>
      <RowMenu site={site} actions={actions} />
    </div>
  );
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
  const { count, rowAt, isLong, start, total, search, heartbeats, actions, selection, onParts, onChange } = props;
  const { ref, width } = useElementSize<HTMLDivElement>();
  const rows = useMemo(() => Array.from({ length: count }, (_, row) => ({ row, site: rowAt(row) })), [count, rowAt]);
  const reportParts = (first: number, last: number, focused: number | undefined) =>
    onParts({ first: partAt(first), last: partAt(Math.max(first, last)), focused: focused && partAt(focused) });
  return (
    <div ref={ref} data-compact={useSignal(isCompact) || undefined} className={styles['list']}>
      <DataTable
        className={styles['table']}
        rows={rows}
        rowId={({ row, site }) => site?.id ?? `row ${row}`}
        columns={useColumns(width, heartbeats, actions)}
        sorting={sortControls(sortable, labels, search.sort, onChange, firstSort)}
        selection={useRowSelection(selection)}
        rowProps={({ site }) => ({
          'aria-busy': !site || undefined,
          'data-down': site?.status === 'error' || undefined,
        })}
        long={{ isLong, start, total, onRange: reportParts }}
        renderCard={({ site }, checkbox) => <Card {...{ site, heartbeats, checkbox, actions }} />}
      />
    </div>
  );
}
