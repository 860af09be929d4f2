import { ChevronDown, ChevronsUpDown, ChevronUp } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Hidden } from './Hidden';
import type { Sorting } from './SortChoice';
import styles from './Table.module.css';

export type TableColumn = {
  /** Its words, or the box of all its boxes. */
  label: ReactNode;
  /** By which the table's style sheet gives it a width. */
  column?: string;
  /** The label is read aloud, not shown. */
  isHidden?: true;
  sort?: { order: 'ascending' | 'descending' | undefined; turn: () => void };
};

/** The columns that a table is sorted by; one that is pressed again turns the order around. */
export const sortColumns = <C extends string>({ columns, labels, sorted, onSort }: Sorting<C>) =>
  columns.map((column): TableColumn => {
    const isSorted = sorted.column === column;
    const isDescending = isSorted && sorted.isDescending;
    const order = isSorted ? (isDescending ? 'descending' : 'ascending') : undefined;
    return { column, label: labels[column], sort: { order, turn: () => onSort(column, isSorted && !isDescending) } };
  });

/** What can be done with a row stands at its end. */
export const actionsColumn: TableColumn = { column: 'actions', label: 'Actions', isHidden: true };

const arrows = { ascending: ChevronUp, descending: ChevronDown };

function Title({ label, isHidden, sort }: TableColumn) {
  if (isHidden) return <Hidden>{label}</Hidden>;
  if (!sort) return label;
  const Arrow = sort.order ? arrows[sort.order] : ChevronsUpDown;
  return (
    <button type="button" className={styles['sort']} onClick={sort.turn}>
      {label}
      <Arrow size={14} aria-hidden />
    </button>
  );
}

type HeadProps = {
  columns: readonly TableColumn[];
  /** Its place among all rows, where not all of them are there. */
  place?: number;
};

export const TableHead = ({ columns, place }: HeadProps) => (
  <thead>
    <tr aria-rowindex={place}>
      {columns.map((one) => (
        <th
          key={typeof one.label === 'string' ? one.label : one.column}
          scope="col"
          data-column={one.column}
          aria-sort={one.sort?.order}
        >
          <Title {...one} />
        </th>
      ))}
    </tr>
  </thead>
);

/** Its body is the children, its class the widths of its own columns. */
export const Table = ({ columns, className, children, ...rest }: ComponentProps<'table'> & HeadProps) => (
  <table className={`${styles['table']} ${className ?? ''}`} {...rest}>
    <TableHead columns={columns} />
    {children}
  </table>
);
