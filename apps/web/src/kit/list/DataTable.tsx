import cards from '../../ui/Cards.module.css';
import { useFocusHandOver } from '../../ui/focus';
import { useNarrow } from '../../ui/useNarrow';
import type { DataTableProps } from './data-table';
import { SelectRow } from './RowCheckbox';
import { TableRows } from './TableRows';
import { useListParts } from './useListParts';
import { type ListKeys, useRowKeys } from './useRowKeys';

type CardProps<R extends object> = Pick<
  DataTableProps<R, string>,
  'renderCard' | 'renderDetails' | 'rowProps' | 'selection' | 'focusTo' | 'long'
> & { row: R; id: string; index: number };

/** The details belong to the card: their focus is handed on with it. */
function Card<R extends object>({ row, id, index, long, ...props }: CardProps<R>) {
  const { renderCard, renderDetails, rowProps, selection, focusTo } = props;
  const element = useFocusHandOver<HTMLLIElement>(focusTo);
  return (
    <li
      ref={element}
      className={cards['card']}
      data-index={index}
      aria-posinset={long && long.start + index + 1}
      aria-setsize={long?.total}
      {...rowProps?.(row, index)}
    >
      {renderCard(row, selection && <SelectRow row={row} id={id} selection={selection} />)}
      {renderDetails?.(row)}
    </li>
  );
}

function Cards<R extends object, C extends string>(props: DataTableProps<R, C> & ListKeys) {
  const {
    label,
    rows,
    rowId,
    rowProps,
    renderDetails,
    firstDetails,
    rowKeys,
    setBody,
    long,
    renderCard,
    selection,
    focusTo,
  } = props;
  const parts = useListParts(rows, long, rowKeys);
  return (
    <>
      {firstDetails}
      <ul aria-label={label} data-long={long?.isLong || undefined} ref={setBody}>
        {parts.map((part) => {
          const { index } = part;
          if ('gap' in part) return <li key={`gap ${index}`} aria-hidden style={{ height: part.gap }} />;
          const { row } = part;
          const id = rowId(row, index);
          return (
            <Card
              key={long?.isLong ? index : id}
              {...{ row, id, index, long, rowProps, renderDetails, renderCard, selection, focusTo }}
            />
          );
        })}
      </ul>
    </>
  );
}

/** A list of rows, as a table whose rows the keyboard reaches, or as cards on a narrow screen. */
export function DataTable<R extends object, C extends string = never>(props: DataTableProps<R, C>) {
  const isNarrow = useNarrow(props.narrowBelow);
  const { setBody, ...rowKeys } = useRowKeys(props.rows.length);
  const Layout = isNarrow ? Cards : TableRows;
  return <Layout {...props} rowKeys={rowKeys} setBody={setBody} />;
}
