import { ChevronDown, ChevronsUpDown, ChevronUp } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import type { Sorting } from './SortChoice';
import styles from './Table.module.css';

export type TableColumn = {
  /** Text, or the checkbox that selects all rows. */
  label: ReactNode;
  /** The `data-column` by which the table's style sheet sets a width. */
  column?: string;
  /** The label is for screen readers only. */
  isHidden?: true;
  sort?: { order: 'ascending' | 'descending' | undefined; toggle: () => void };
};

/** The sortable columns; a second press reverses the order. */
export const sortColumns = <C extends string>({ columns, labels, sorted, onSort }: Sorting<C>) =>
  columns.map((column): TableColumn => {
    const isSorted = sorted.column === column;
    const isDescending = isSorted && sorted.isDescending;
    const order = isSorted ? (isDescending ? 'descending' : 'ascending') : undefined;
    return { column, label: labels[column], sort: { order, toggle: () => onSort(column, isSorted && !isDescending) } };
  });

export const actionsColumn: TableColumn = { column: 'actions', label: 'Actions', isHidden: true };

const arrows = { ascending: ChevronUp, descending: ChevronDown };

function Title({ label, isHidden, sort }: TableColumn) {
  if (isHidden) return <VisuallyHidden>{label}</VisuallyHidden>;
  if (!sort) return label;
  const Arrow = sort.order ? arrows[sort.order] : ChevronsUpDown;
  return (
    <button type="button" className={styles['sort']} onClick={sort.toggle}>
      {label}
      <Arrow size={14} aria-hidden />
    </button>
  );
}

type HeadProps = {
  columns: readonly TableColumn[];
  /** The `aria-rowindex` of the header, for a table that renders only some of its rows. */
  rowIndex?: number;
};

export const TableHead = ({ columns, rowIndex }: HeadProps) => (
  <thead>
    <tr aria-rowindex={rowIndex}>
      {columns.map((column) => (
        <th
          key={typeof column.label === 'string' ? column.label : column.column}
          scope="col"
          data-column={column.column}
          aria-sort={column.sort?.order}
        >
          <Title {...column} />
        </th>
      ))}
    </tr>
  </thead>
);

/** The children are the `tbody`; the class sets the widths of the columns. */
export const Table = ({ columns, className, children, ...rest }: ComponentProps<'table'> & HeadProps) => (
  <table className={`${styles['table']} ${className ?? ''}`} {...rest}>
    <TableHead columns={columns} />
    {children}
  </table>
);
