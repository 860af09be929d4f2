import { ArrowDownAZ, ArrowUpAZ } from 'lucide-react';
import { IconButton } from './IconButton';
import { SelectField } from './SelectField';

type Props<C extends string> = {
  columns: readonly C[];
  labels: Readonly<Record<C, string>>;
  column: C;
  isDescending: boolean;
  className: string | undefined;
  onChange: (column: C, isDescending: boolean) => void;
};

/** How a list is sorted, where it has no column heads to sort by. */
export function SortChoice<C extends string>({ columns, labels, column, isDescending, className, onChange }: Props<C>) {
  return (
    <>
      <SelectField
        aria-label="Trier par"
        className={className}
        data={columns.map((value) => ({ value, label: labels[value] }))}
        value={column}
        onChange={({ currentTarget: { value } }) =>
          onChange(columns.find((name) => name === value) ?? column, isDescending)
        }
      />
      <IconButton
        icon={isDescending ? ArrowUpAZ : ArrowDownAZ}
        label={isDescending ? 'Trier dans l’ordre croissant' : 'Trier dans l’ordre décroissant'}
        onClick={() => onChange(column, !isDescending)}
      />
    </>
  );
}
