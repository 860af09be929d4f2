import { ChevronDown, ChevronsUpDown, ChevronUp } from 'lucide-react';
import table from './Table.module.css';

type Props = {
  column: string;
  label: string;
  sorted: { column: string; isDescending: boolean };
  onSort: (isDescending: boolean) => void;
};

/** The head of a column that a table is sorted by; pressed again, it turns the order around. */
export function SortHead({ column, label, sorted, onSort }: Props) {
  const isSorted = sorted.column === column;
  const isDescending = isSorted && sorted.isDescending;
  const Icon = isSorted ? (isDescending ? ChevronDown : ChevronUp) : ChevronsUpDown;
  return (
    <th scope="col" data-column={column} aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}>
      <button type="button" className={table['sort']} onClick={() => onSort(isSorted && !isDescending)}>
        {label}
        <Icon size={14} aria-hidden />
      </button>
    </th>
  );
}
