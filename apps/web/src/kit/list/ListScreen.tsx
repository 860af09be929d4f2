import { SearchX } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { EmptyState } from '../../ui/EmptyState';
import { Skeleton } from '../../ui/Skeleton';
import { ListFrame } from './ListFrame';
import { Pager } from './Pager';
import { pageToShow } from './pageToShow';
import { usePages } from './usePages';
import { Button } from '@mantine/core';
import { useFocusHandOver } from '../../ui/focus';

type ClearFiltersProps = { label?: string; onClear: () => void };

/** Clears the filters of an empty list, and moves the focus to its search. */
function ClearFilters({ label = 'Effacer les filtres', onClear }: ClearFiltersProps) {
  const button = useFocusHandOver<HTMLButtonElement>();
  return (
    <Button ref={button} variant="default" onClick={onClear}>
      {label}
    </Button>
  );
}

type FrameProps = ComponentProps<typeof ListFrame>;
type ListPage = { total: number };

type Props<P extends ListPage> = Pick<FrameProps, 'tools'> & {
  answer: FrameProps['answer'] & { data?: P | undefined; currentData?: P | undefined };
  /** Absent for a list that is read whole. */
  page?: number | undefined;
  pageSize?: number;
  onPage?: (page: number | undefined) => void;
  /** What a list says when its filters match nothing; false while it has no filter. */
  noMatch: false | ({ title: string } & ComponentProps<typeof ClearFilters>);
  /** Takes the place of a list without filters that has no rows. */
  empty: ReactNode;
  children: (page: P) => ReactNode;
};

/** A list: its tools, its rows or what replaces them, and its pager. */
export function ListScreen<P extends ListPage>(props: Props<P>) {
  const { answer, tools, page, pageSize = Number.POSITIVE_INFINITY, onPage, noMatch, empty, children } = props;
  const goTo = usePages({ page, size: pageSize, total: answer.currentData?.total }, (next) => onPage?.(next));
  const shownPage = pageToShow(answer);
  const nothing = noMatch ? (
    <EmptyState icon={SearchX} title={noMatch.title} actions={<ClearFilters {...noMatch} />} />
  ) : (
    empty
  );
  return (
    <ListFrame answer={answer} tools={tools}>
      {shownPage ? shownPage.total === 0 ? nothing : children(shownPage) : <Skeleton rows={6} />}
      {shownPage && <Pager page={page ?? 1} size={pageSize} total={shownPage.total} onChange={goTo} />}
    </ListFrame>
  );
}
