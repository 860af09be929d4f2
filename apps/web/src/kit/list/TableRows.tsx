import { shallowEqual } from '@mantine/hooks';
import {
  type Cell,
  type Column,
  functionalUpdate,
  type Row,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { ChevronDown, ChevronsUpDown, ChevronUp } from 'lucide-react';
import { Fragment, memo, type ReactNode, useMemo } from 'react';
import { useFocusHandOver } from '../../ui/focus';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import type { ColumnLook, DataTableProps } from './data-table';
import styles from './list.module.css';
import { AllRowsCheckbox, SelectRow } from './RowCheckbox';
import { useListParts } from './useListParts';
import type { ListKeys } from './useRowKeys';
import { useRovingFocus } from '../../ui/useRovingFocus';

const features = tableFeatures({ rowSortingFeature, columnMeta: {} as ColumnLook });
type Features = typeof features;

function useColumns<R extends object, C extends string>({ columns, selection }: DataTableProps<R, C>) {
  return useMemo(() => {
    const dataColumns = columns.map(({ id, render, ...meta }) => ({
      id,
      meta,
      cell: ({ row }: { row: Row<Features, R> }) => render(row.original),
    }));
    if (!selection) return dataColumns;
    const selectColumn = {
      id: 'select',
      meta: {
        label: <AllRowsCheckbox label={selection.allLabel} selection={selection.selection} />,
        width: 'calc(var(--row) + var(--inset, 8px))',
      },
      cell: ({ row }: { row: Row<Features, R> }) => <SelectRow row={row.original} id={row.id} selection={selection} />,
    };
    return [selectColumn, ...dataColumns];
  }, [columns, selection]);
}

function useRowsTable<R extends object, C extends string>(props: DataTableProps<R, C>) {
  const { rows, rowId, sorting } = props;
  const sorted = sorting ? [{ id: sorting.sorted.column, desc: sorting.sorted.isDescending }] : [];
  return useTable({
    features,
    data: rows,
    columns: useColumns(props),
    getRowId: rowId,
    manualSorting: true,
    // The first press sorts upwards, and the next ones turn the order round.
    sortDescFirst: false,
    enableSortingRemoval: false,
    state: { sorting: sorted },
    onSortingChange: (change) => {
      const [next] = functionalUpdate(change, sorted);
      const column = sorting?.columns.find((id) => id === next?.id);
      if (next && column !== undefined) sorting?.onSort(column, next.desc);
    },
  });
}

type LineProps<R extends object> = Pick<DataTableProps<R, string>, 'focusTo'> & {
  attributes: ReturnType<NonNullable<DataTableProps<R, string>['rowProps']>> | undefined;
  cells: readonly Cell<Features, R>[];
  index: number;
  rowIndex: number | undefined;
  isOpen: boolean;
};

function Line<R extends object>({ attributes, cells, index, rowIndex, isOpen, focusTo }: LineProps<R>) {
  const line = useFocusHandOver<HTMLTableRowElement>(focusTo);
  return (
    <tr ref={line} data-index={index} aria-rowindex={rowIndex} data-open={isOpen || undefined} {...attributes}>
      {cells.map((cell) => {
        const { cell: render, meta } = cell.column.columnDef;
        const Tag = meta?.isRowHeader ? 'th' : 'td';
        return (
          <Tag
            key={cell.id}
            {...(meta?.isRowHeader && { scope: 'row' })}
            data-muted={meta?.isMuted || undefined}
            data-align={meta?.align}
          >
            {/* Called, because a component made anew with its column would be mounted anew, and lose the focus. */}
            {typeof render === 'function' && render(cell.getContext())}
          </Tag>
        );
      })}
    </tr>
  );
}

/** While a long list scrolls, or its keys move the focus, only the rows that change are rendered. */
const MemoLine = memo(
  Line,
  ({ attributes, ...line }, { attributes: nextAttributes, ...nextLine }) =>
    shallowEqual(attributes, nextAttributes) && shallowEqual(line, nextLine),
) as typeof Line;

const Details = ({ span, children }: { span: number; children: ReactNode }) => (
  <tr className={styles['details']}>
    <td colSpan={span}>{children}</td>
  </tr>
);

const Gap = ({ span, height }: { span: number; height: number }) => (
  <tr aria-hidden className={styles['details']} style={{ height }}>
    <td colSpan={span}>
      <VisuallyHidden>…</VisuallyHidden>
    </td>
  </tr>
);

/** The rows of a list as a table. */
export function TableRows<R extends object, C extends string>(props: DataTableProps<R, C> & ListKeys) {
  const { label, sorting, renderDetails, firstDetails, className, rowKeys, setBody, long, rowProps, focusTo } = props;
  const table = useRowsTable(props);
  const columns = table.getAllLeafColumns();
  const parts = useListParts(table.getRowModel().rows, long, rowKeys);
  const span = columns.length;
  return (
    <table
      aria-label={label}
      aria-rowcount={long && long.total + 1}
      data-long={long?.isLong || undefined}
      className={`${styles['table']} ${className ?? ''}`}
    >
      <ColumnHeads columns={columns} sorting={sorting} rowIndex={long && 1} />
      <tbody ref={setBody} {...rowKeys.keys}>
        {firstDetails && <Details span={span}>{firstDetails}</Details>}
        {parts.map((part) => {
          if ('gap' in part) return <Gap key={`gap ${part.index}`} span={span} height={part.gap} />;
          const { row, index } = part;
          const unfolded = renderDetails?.(row.original);
          return (
            <Fragment key={long?.isLong ? index : row.id}>
              <MemoLine
                attributes={{ tabIndex: index === rowKeys.active ? 0 : -1, ...rowProps?.(row.original, index) }}
                cells={row.getAllCells()}
                // `aria-rowindex` counts from 1, and the head is the first row.
                rowIndex={long && long.start + index + 2}
                isOpen={Boolean(unfolded)}
                {...{ index, focusTo }}
              />
              {unfolded && <Details span={span}>{unfolded}</Details>}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

type ColumnHeadsProps<R extends object, C extends string> = Pick<DataTableProps<R, C>, 'sorting'> & {
  columns: readonly Column<Features, R>[];
  rowIndex: number | undefined;
};

/** The widths and the heads of the columns. */
function ColumnHeads<R extends object, C extends string>({ columns, sorting, rowIndex }: ColumnHeadsProps<R, C>) {
  const roving = useRovingFocus<HTMLTableRowElement>();
  return (
    <>
      <colgroup>
        {columns.map(({ id, columnDef }) => (
          <col key={id} style={{ width: columnDef.meta?.width }} />
        ))}
      </colgroup>
      <thead>
        <tr aria-rowindex={rowIndex} {...roving}>
          {columns.map((column) => (
            <ColumnHead
              key={column.id}
              look={column.columnDef.meta}
              order={column.getIsSorted()}
              {...(sorting?.columns.some((id) => id === column.id) && { onSort: () => column.toggleSorting() })}
            />
          ))}
        </tr>
      </thead>
    </>
  );
}

const orders = {
  asc: { sort: 'ascending', icon: ChevronUp },
  desc: { sort: 'descending', icon: ChevronDown },
} as const;

type Props = { look: ColumnLook | undefined; order: 'asc' | 'desc' | false; onSort?: () => void };

/** The head of a column; a second press on a sortable one reverses the order. */
function ColumnHead({ look: { label, isLabelHidden, align } = { label: '' }, order, onSort }: Props) {
  const { sort, icon: Arrow } = order ? orders[order] : { sort: undefined, icon: ChevronsUpDown };
  return (
    <th scope="col" aria-sort={sort} data-align={align}>
      {isLabelHidden && <VisuallyHidden>{label}</VisuallyHidden>}
      {!isLabelHidden && !onSort && label}
      {onSort && (
        <button type="button" className={styles['sort']} onClick={onSort}>
          {label}
          <Arrow size={14} aria-hidden />
        </button>
      )}
    </th>
  );
}
