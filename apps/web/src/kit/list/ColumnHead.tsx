import { ChevronDown, ChevronsUpDown, ChevronUp } from 'lucide-react';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import type { ColumnLook } from './data-table';
import styles from './DataTable.module.css';

const orders = {
  asc: { sort: 'ascending', icon: ChevronUp },
  desc: { sort: 'descending', icon: ChevronDown },
} as const;

type Props = { look: ColumnLook | undefined; order: 'asc' | 'desc' | false; onSort?: () => void };

/** The head of a column; a second press on a sortable one reverses the order. */
export function ColumnHead({ look: { label, isLabelHidden, align } = { label: '' }, order, onSort }: Props) {
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
