import { Link } from '@tanstack/react-router';
import type { PluginItem, PluginSiteLine } from '@vigie/contracts/plugins';
import type { ComponentType } from 'react';
import { Status } from '../../ui/Status';
import { When } from '../../ui/When';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import styles from './Plugins.module.css';
import { spellStep } from './words';

type OfSite = PluginItem['sites'][number] & Partial<Pick<PluginSiteLine, 'read_at' | 'failure' | 'job_id'>>;

/** What asks for the update of one site, and tells how it goes. */
export type UpdatePart = ComponentType<{
  site: { id: string; name: string };
  plugin: { slug: string; name: string };
  hasUpdate: boolean;
  isBlocked: boolean;
  job: string | null;
}>;

type Props = { plugin: { slug: string; name: string }; site: OfSite; Update: UpdatePart };

/** A site that has the plugin, and which version of it. */
export function SiteLine({ plugin, site, Update }: Props) {
  const { site_id: id, site_name: name, version, hasUpdate, status, read_at: at = null, failure = null } = site;
  const line = useFocusHandOver<HTMLLIElement>('[data-sites]');
  return (
    <li ref={line} tabIndex={-1} data-keeps-focus className={styles['site']} data-site={id}>
      <div className={styles['where']}>
        <Link to="/sites/$siteId" params={{ siteId: id }} search={{ q: plugin.slug }} className={styles['link']}>
          {name}
        </Link>
        <p className={styles['more']}>
          <span data-waiting={hasUpdate || undefined}>{spellStep(site)}</span>
          {status === 'inactive' && <Status tone="neutral">Inactif</Status>}
          {at !== null && (
            <span>
              {'lu '}
              <When at={at} />
            </span>
          )}
        </p>
        {failure !== null && <p className={styles['failure']}>{`Dernière lecture en échec\u00a0: ${failure}`}</p>}
      </div>
      {/* Another version is another update. */}
      <Update
        key={`${id} ${version}`}
        site={{ id, name }}
        plugin={plugin}
        hasUpdate={hasUpdate}
        isBlocked={site.blockedByLicense}
        job={site.job_id ?? null}
      />
    </li>
  );
}
