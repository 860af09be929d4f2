import { type GroupNames, useGroupNames } from '../../kit/fleet/groups';
import cards from '../../ui/Cards.module.css';
import { useSignal } from '../../ui/signal';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { useProgressiveList } from '../../kit/list/useProgressiveList';
import { splitRows, useVisibleRows } from '../../kit/list/useVisibleRows';
import { cardDetails, chosenColumns } from './columns';
import { SiteActions } from './SiteActions';
import styles from './SiteCards.module.css';
import { Details, SiteLink, SiteCheckbox } from './SiteCells';
import { HttpBadge, SiteStatusBadge } from './SiteStatusBadge';
import { type ListProps, useReportParts } from './SitesTable';
import type { SiteItem } from '@vigie/contracts/sites';

type Props = Pick<ListProps, 'actions' | 'selection' | 'total'> & {
  site: SiteItem;
  row: number;
  position: number;
  groupNames: GroupNames;
};

function Card({ site, row, position, total, groupNames, actions, selection }: Props) {
  const card = useFocusHandOver<HTMLLIElement>();
  const chosen = useSignal(chosenColumns);
  return (
    <li
      ref={card}
      className={`${cards['card']} ${styles['card']}`}
      data-index={row}
      aria-posinset={position}
      aria-setsize={total}
      data-down={site.status === 'error' || undefined}
    >
      <div className={`${cards['head']} ${styles['head']}`}>
        <SiteCheckbox site={site} selection={selection} />
        <SiteLink site={site} />
        {chosen.includes('http') && <HttpBadge http={site.http} />}
        {chosen.includes('status') && <SiteStatusBadge site={site} />}
      </div>
      <div className={`${cards['foot']} ${styles['foot']}`}>
        <Details site={site} groupNames={groupNames} columns={cardDetails(chosen)} />
        <SiteActions site={site} actions={actions} />
      </div>
    </li>
  );
}

const cardHeight = 105;

/** The list of sites on a narrow screen. */
export function SiteCards({ count, rowAt, isLong, start, total, actions, selection, onParts }: ListProps) {
  const { list, first, last, height } = useVisibleRows<HTMLUListElement>(count, isLong, cardHeight);
  const groupNames = useGroupNames();
  const parts = splitRows(first, last, count, undefined);
  const orderedParts = useProgressiveList(parts);
  useReportParts({ first, last }, undefined, onParts);
  return (
    <ul ref={list} data-long={isLong || undefined} className={styles['cards']}>
      {(isLong ? parts : orderedParts).map((part) => {
        if ('gap' in part) return <li key={`gap ${part.after}`} aria-hidden style={{ height: part.gap * height }} />;
        const { row } = part;
        const site = rowAt(row);
        if (!site) return <li key={row} aria-busy data-index={row} className={`${cards['card']} ${styles['card']}`} />;
        return (
          <Card key={site.id} {...{ site, row, total, groupNames, actions, selection }} position={start + row + 1} />
        );
      })}
    </ul>
  );
}
