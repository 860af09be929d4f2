import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { updateItems } from '@vigie/contracts/changes';
import type { Site } from '@vigie/contracts/sites';
import { allows } from '../../kit/fleet/roles';
import { plural } from '../../ui/plural';
import { SectionCard } from '../../ui/SectionCard';
import { Status } from '../../ui/Status';
import styles from './changes.module.css';
import { coreRows } from './core-row';
import { filterItems, rowKey } from './filter-items';
import { formatVersions } from './words';

const maxShown = 6;

/** The updates that wait, with the way to choose among them. */
export function WaitingUpdates({ site }: { site: Site }) {
  const items = [...coreRows(site, {}), ...filterItems(site, { updates: true })];
  if (items.length === 0) return null;
  const remaining = items.length - maxShown;
  return (
    <SectionCard title="Mises à jour" aside={<Status tone="update">{`${items.length}\u00a0en attente`}</Status>}>
      <dl className={styles['waiting']}>
        {items.slice(0, maxShown).map((item) => (
          <div key={rowKey(item)}>
            <dt>{item.name}</dt>
            <dd className={styles['newer']}>{formatVersions(item.version, item.new_version)}</dd>
          </div>
        ))}
      </dl>
      {remaining > 0 && <p>{`et ${plural(remaining, 'autre', 'autres')}`}</p>}
      {allows(site, updateItems) && (
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link {...props} to="/sites/$siteId/plugins" params={{ siteId: site.id }} search={{ updates: true }} />
          )}
        >
          Choisir les mises à jour
        </Button>
      )}
    </SectionCard>
  );
}
