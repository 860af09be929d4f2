import { Button, Text } from '@mantine/core';
import { CloudOff, SearchX } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { useFocusHandOver } from '../../ui/focus';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { TimeAgo } from '../../ui/TimeAgo';
import { Pager } from './Pager';
import { pageToShow, usePages } from './usePages';

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
  /** Rows of the placeholder, to fit the list that replaces it. */
  placeholderRows?: number;
  children: (page: P) => ReactNode;
};

/** A list: its tools, its rows or what replaces them, and its pager. */
export function ListScreen<P extends ListPage>(props: Props<P>) {
  const {
    answer,
    tools,
    page,
    pageSize = Number.POSITIVE_INFINITY,
    onPage,
    noMatch,
    empty,
    placeholderRows = 6,
    children,
  } = props;
  const goTo = usePages({ page, size: pageSize, total: answer.currentData?.total }, (next) => onPage?.(next));
  const shownPage = pageToShow(answer);
  const nothing = noMatch ? (
    <EmptyState icon={SearchX} title={noMatch.title} actions={<ClearFilters {...noMatch} />} />
  ) : (
    empty
  );
  return (
    <ListFrame answer={answer} tools={tools}>
      {shownPage ? shownPage.total === 0 ? nothing : children(shownPage) : <Skeleton rows={placeholderRows} />}
      {shownPage && <Pager page={page ?? 1} size={pageSize} total={shownPage.total} onChange={goTo} />}
    </ListFrame>
  );
}

type ListFrameProps = {
  answer: { data?: unknown; sentence: string | undefined; isFetching: boolean; refresh: () => void };
  /** Shown above the list, unless the first load failed. */
  tools?: ReactNode;
  children: ReactNode;
};

/** A list with its tools. A failure replaces a list that was never read, and appears above one that was. */
export function ListFrame({ answer: { data, sentence, isFetching, refresh }, tools, children }: ListFrameProps) {
  const retryButton = <RetryButton isBusy={isFetching} onRetry={refresh} />;
  if (data === undefined && sentence !== undefined) {
    return (
      <Card>
        <EmptyState icon={CloudOff} title={sentence} actions={retryButton} />
      </Card>
    );
  }
  return (
    <>
      <Failure sentence={sentence}>{retryButton}</Failure>
      {tools}
      <Card>{children}</Card>
    </>
  );
}

type CountProps = { children: ReactNode; at: number | undefined };

/** The number of items, and the age of the data. A phone needs two lines of it, so that the list below never moves. */
export const ListCount = ({ children, at }: CountProps) => (
  <Text component="div" mih={{ base: 40, sm: 20 }} m="-4px 0 -8px" c="muted" fz={13}>
    <output>{children}</output>
    {at !== undefined && (
      <>
        {' · Actualisé '}
        <TimeAgo at={new Date(at).toISOString()} often />
      </>
    )}
  </Text>
);
