import type { PublicSite, PublicStatus } from '@vigie/contracts/status-pages';
import { spellUptime } from '../../kit/words/uptime';
import { Status } from '../../ui/Status';
import { DayBars } from './DayBars';
import styles from './status-pages.module.css';
import { stateTone, stateWord } from './words';

const periods = [
  ['day', '24\u00a0h'],
  ['month', '30\u00a0j'],
  ['quarter', '90\u00a0j'],
] as const;

const Uptimes = ({ uptime }: Pick<PublicSite, 'uptime'>) => (
  <dl className={styles['uptimes']}>
    {periods.map(([name, label]) => (
      <div key={name}>
        <dt>{label}</dt>
        <dd>{spellUptime(uptime[name])}</dd>
      </div>
    ))}
  </dl>
);

type SiteProps = { site: PublicSite; generatedAt: string };

const Site = ({ site, generatedAt }: SiteProps) => (
  <li className={styles['site']}>
    <div className={styles['head']}>
      <h3>{site.name}</h3>
      <Status tone={stateTone(site.state)}>{stateWord(site.state)}</Status>
    </div>
    <DayBars site={site} generatedAt={generatedAt} />
    <Uptimes uptime={site.uptime} />
  </li>
);

/** Each site with its last 90 days. */
export function PublicSites({ status }: { status: PublicStatus }) {
  const { sites, counts, generated_at: generatedAt } = status;
  const total = counts.up + counts.down + counts.maintenance + counts.unknown;
  if (total === 0) return null;
  return (
    <section aria-labelledby="sites">
      <h2 id="sites">Sites</h2>
      <ul className={styles['card']}>
        {sites.map((site) => (
          <Site key={site.name} site={site} generatedAt={generatedAt} />
        ))}
      </ul>
      {total > sites.length && (
        <p className={styles['note']}>
          {`Les ${sites.length} premiers sites sur ${total}. L’état en haut de la page est celui de tous.`}
        </p>
      )}
    </section>
  );
}
