import type { RowSelection } from './data-table';
import { RowCheckbox } from './RowCheckbox';

type Props<R> = { row: R; id: string; selection: RowSelection<R> };

/** The checkbox of a row, unless the row cannot be selected. */
export function SelectRow<R>({ row, id, selection: { selection, rowLabel } }: Props<R>) {
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
