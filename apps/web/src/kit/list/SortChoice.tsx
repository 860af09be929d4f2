import { ArrowDownAZ, ArrowUpAZ } from 'lucide-react';
import { IconButton } from '../../ui/IconButton';
import { SelectField } from '../../ui/SelectField';
import styles from './list.module.css';

export type Sorting<C extends string> = {
  columns: readonly C[];
  labels: Readonly<Record<C, string>>;
  sorted: { column: C; isDescending: boolean };
  onSort: (column: C, isDescending: boolean) => void;
};

/** Chooses the sort of a list on a phone, where it has no column headers. */
export function SortChoice<C extends string>({ columns, labels, sorted, onSort }: Sorting<C>) {
  const { column, isDescending } = sorted;
  return (
    <div className={styles['sortChoice']}>
      <SelectField
        aria-label="Trier par"
        data={columns.map((value) => ({ value, label: labels[value] }))}
        value={column}
        onChange={({ currentTarget: { value } }) =>
          onSort(columns.find((name) => name === value) ?? column, isDescending)
        }
      />
      <IconButton
        icon={isDescending ? ArrowUpAZ : ArrowDownAZ}
        label={isDescending ? 'Trier dans l’ordre croissant' : 'Trier dans l’ordre décroissant'}
        onClick={() => onSort(column, !isDescending)}
      />
    </div>
  );
}
