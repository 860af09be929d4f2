import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { SiteActions } from './SiteActions';
import styles from './SiteCards.module.css';
import { HttpBadge, SiteState } from './SiteState';
import { type ListProps, type ShownProps, SiteLink, SiteTick, SiteUrl } from './SitesTable';
import { spellUpdates } from './words';

function Card({ site, deeds, selection }: ShownProps) {
  const card = useFocusHandOver<HTMLLIElement>();
  const { wpCore, php_version: php } = site;
  const versions = [wpCore.version && `WP ${wpCore.version}`, php && `PHP ${php}`].filter(Boolean).join(' · ');
  const waiting = spellUpdates(site);
  return (
    <li ref={card} className={styles['card']} data-down={site.status === 'error' || undefined}>
      <div className={styles['head']}>
        <SiteTick site={site} selection={selection} />
        <SiteLink site={site} />
        <HttpBadge http={site.http} />
        <SiteState site={site} />
      </div>
      <SiteUrl url={site.url} />
      <div className={styles['foot']}>
        <p className={styles['more']}>
          {versions}
          {waiting !== undefined && <span className={styles['waiting']}>{`À mettre à jour\u00a0: ${waiting}`}</span>}
        </p>
        <SiteActions site={site} deeds={deeds} />
      </div>
    </li>
  );
}

/** The sites where a table has no room. */
export const SiteCards = ({ sites, deeds, selection }: ListProps) => (
  <ul>
    {sites.map((site) => (
      <Card key={site.id} site={site} deeds={deeds} selection={selection} />
    ))}
  </ul>
);
