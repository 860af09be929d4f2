import { Checkbox } from '@mantine/core';
import { useRef } from 'react';
import type { RowSelection } from './data-table';
import styles from './list.module.css';
import type { Selection } from './useSelection';

type Props = {
  label: string;
  isOn: boolean;
  /** Some of the rows are selected, but not all. */
  isMixed?: boolean;
  onChange: (isOn: boolean, isRange: boolean) => void;
};

/** The checkbox of a row; Shift selects a range. */
export function RowCheckbox({ label, isOn, isMixed = false, onChange }: Props) {
  const isRange = useRef(false);
  return (
    // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- Mantine draws its input inside
    <label className={styles['tick']} data-row-checkbox>
      <Checkbox
        aria-label={label}
        checked={isOn}
        indeterminate={isMixed}
        onClick={({ shiftKey }) => {
          isRange.current = shiftKey;
        }}
        onChange={({ currentTarget: { checked } }) => onChange(checked, isRange.current)}
      />
    </label>
  );
}

type AllProps = { label: string; selection: Selection };

/** The checkbox of all visible rows. */
export const AllRowsCheckbox = ({ label, selection: { ids, isAll, chooseAll } }: AllProps) => (
  <RowCheckbox label={label} isOn={isAll} isMixed={!isAll && ids.length > 0} onChange={chooseAll} />
);

type SelectRowProps<R> = { row: R; id: string; selection: RowSelection<R> };

/** The checkbox of a row, unless the row cannot be selected. */
export function SelectRow<R>({ row, id, selection: { selection, rowLabel } }: SelectRowProps<R>) {
  const label = rowLabel(row);
  return (
    label !== undefined && (
      <RowCheckbox
        label={label}
        isOn={selection.ids.includes(id)}
        onChange={(isOn, isRange) => selection.choose(id, isOn, isRange)}
      />
    )
  );
}
