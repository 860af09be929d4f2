import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { updateItem } from '@vigie/contracts/changes';
import type { PluginItem, PluginSiteLine } from '@vigie/contracts/plugins';
import type { ComponentType } from 'react';
import { useSiteRights } from '../../kit/fleet/guests';
import links from '../../ui/links.module.css';
import { Status } from '../../ui/Status';
import { TimeAgo } from '../../ui/TimeAgo';
import { useFocusHandOver } from '../../ui/focus';
import styles from './plugins.module.css';
import { spellStep } from './words';

type PluginOnSite = PluginItem['sites'][number] & Partial<Pick<PluginSiteLine, 'read_at' | 'failure' | 'job_id'>>;

/** The button that updates a plugin on one site, with its progress. */
export type UpdateComponent = ComponentType<{
  site: { id: string; name: string };
  plugin: { slug: string; name: string };
  version: PluginOnSite['version'];
  hasUpdate: boolean;
  isBlocked: boolean;
  jobId: string | null;
}>;

type Props = { plugin: { slug: string; name: string }; site: PluginOnSite; Update: UpdateComponent };

export function SiteLine({ plugin, site, Update }: Props) {
  const { site_id: siteId, site_name: name, version, hasUpdate, status, read_at: readAt = null, failure = null } = site;
  const rights = useSiteRights();
  const line = useFocusHandOver<HTMLLIElement>('[data-sites]');
  return (
    <li ref={line} tabIndex={-1} data-keeps-focus className={styles['site']} data-site={siteId}>
      <div className={styles['where']}>
        <Link to="/sites/$siteId" params={{ siteId }} search={{ q: plugin.slug }} className={links['name']}>
          {name}
        </Link>
        <p className={styles['more']}>
          <span data-waiting={hasUpdate || undefined}>{spellStep(site)}</span>
          {status === 'inactive' && <Status tone="neutral">Inactif</Status>}
          {readAt !== null && (
            <span>
              {'lu '}
              <TimeAgo at={readAt} />
            </span>
          )}
        </p>
        {failure !== null && <Text variant="note" c="warn">{`Dernière lecture en échec\u00a0: ${failure}`}</Text>}
      </div>
      {rights(siteId, updateItem) && (
        <Update
          site={{ id: siteId, name }}
          plugin={plugin}
          version={version}
          hasUpdate={hasUpdate}
          isBlocked={site.blockedByLicense}
          jobId={site.job_id ?? null}
        />
      )}
    </li>
  );
}
