import { useEffect, useRef } from 'react';
import styles from './RowCheckbox.module.css';
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
  const box = useRef<HTMLInputElement>(null);
  const isRange = useRef(false);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <label className={styles['tick']}>
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={isOn}
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
