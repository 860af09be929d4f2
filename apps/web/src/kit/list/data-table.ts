import type { HTMLAttributes, ReactNode } from 'react';
import type { Sorting } from './SortChoice';
import type { LongList } from './useListParts';
import type { Selection } from './useSelection';

export type ColumnLook = {
  label: ReactNode;
  /** The label is for screen readers only. */
  isLabelHidden?: boolean;
  /** The cells name their rows. */
  isRowHeader?: boolean;
  isMuted?: boolean;
  align?: 'right';
  /** A CSS width; the columns without one share what is left. */
  width?: string | number;
};

export type Column<R> = ColumnLook & { id: string; render: (row: R) => ReactNode };

export const actionsColumn = { id: 'actions', label: 'Actions', isLabelHidden: true } as const;

export type RowSelection<R> = {
  selection: Selection;
  allLabel: string;
  /** The label of a row's checkbox; undefined for a row that cannot be selected. */
  rowLabel: (row: R) => string | undefined;
};

type Attributes = HTMLAttributes<HTMLElement> & { [name: `data-${string}`]: string | number | boolean | undefined };

export type DataTableProps<R, C extends string> = {
  /** Names the list for screen readers. */
  label?: string;
  rows: readonly R[];
  rowId: (row: R, index: number) => string;
  columns: readonly Column<R>[];
  /** The server sorts the rows. */
  sorting?: Sorting<C>;
  selection?: RowSelection<R>;
  rowProps?: (row: R, index: number) => Attributes;
  /** The details unfolded under a row. */
  renderDetails?: (row: R) => ReactNode;
  /** The details unfolded above the first row. */
  firstDetails?: ReactNode;
  /** The content of a row on a screen narrower than `narrowBelow` pixels. */
  renderCard: (row: R, checkbox: ReactNode) => ReactNode;
  narrowBelow?: number;
  /** Receives the focus of a row that vanishes; by default the search field. */
  focusTo?: string;
  className?: string | undefined;
  long?: LongList;
};
