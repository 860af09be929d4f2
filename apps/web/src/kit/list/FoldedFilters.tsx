import { Button } from '@mantine/core';
import { ListFilter } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { formatNumber } from '../../ui/plural';
import { useNarrow } from '../../ui/useNarrow';
import styles from './FoldedFilters.module.css';

type Props = {
  /** The search field, which is never folded. */
  search: ReactNode;
  /** The number of filters that are set. */
  count: number;
  children: ReactNode;
};

/** On a phone the filters of a list unfold from a button beside its search, so that the list begins above the fold. */
export function FoldedFilters({ search, count, children }: Props) {
  const isNarrow = useNarrow();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  if (!isNarrow)
    return (
      <>
        {search}
        {children}
      </>
    );
  return (
    <>
      <div className={styles['search']}>
        {search}
        <Button
          variant="default"
          flex="none"
          aria-expanded={isOpen}
          aria-controls={id}
          leftSection={<ListFilter size={16} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          {count === 0 ? 'Filtres' : `Filtres (${formatNumber(count)})`}
        </Button>
      </div>
      <div id={id} className={styles['unfolded']} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </>
  );
}
