import type { Site } from '@vigie/contracts/sites';
import { useState } from 'react';
import { useBatch } from '../../kit/job/useBatch';
import { plural } from '../../ui/plural';
import { changesApi, plansApi } from './changes.api';
import type { ItemRow } from './core-row';
import { PlanDialog } from './PlanDialog';

/** The button of an update plan. */
const updateAction = { verb: 'Mettre à jour', one: 'élément', many: 'éléments' };

type Props = { site: Site; items: readonly ItemRow[]; onClose: () => void };

/** The updates of the chosen items of a site. */
export function UpdateItems({ site, items, onClose }: Props) {
  // A refresh of the site must not change the plan.
  const [query] = useState(() => ({
    site_ids: [site.id],
    items: items.filter(({ hasUpdate }) => hasUpdate).map(({ type: kind, slug }) => ({ kind, slug })),
  }));
  const upToDate = items.length - query.items.length;
  const plan = plansApi.usePlanUpdatesQuery(query, { refetchOnMountOrArgChange: true });
  const { start, call } = useBatch(changesApi.useUpdateItemsMutation(), onClose);
  return (
    <PlanDialog
      title={`Mettre à jour ${site.name}`}
      plan={plan}
      shape="items"
      action={updateAction}
      call={call}
      onApply={(lines) => start({ id: site.id, items: lines.map(({ kind, slug }) => ({ kind, slug })) })}
      onClose={onClose}
    >
      {upToDate > 0 && (
        <p>{`${plural(upToDate, 'élément choisi n’a', 'éléments choisis n’ont')} pas de mise à jour.`}</p>
      )}
    </PlanDialog>
  );
}

type UpdateSitesProps = { siteIds: readonly string[]; onStarted?: (jobId: string) => void; onClose: () => void };

/** All updates of the chosen sites. */
export function UpdateSites({ siteIds, onStarted, onClose }: UpdateSitesProps) {
  const plan = plansApi.usePlanUpdatesQuery({ site_ids: [...siteIds] }, { refetchOnMountOrArgChange: true });
  const { start, call } = useBatch(plansApi.useApplyUpdatesMutation(), (jobId) => {
    onClose();
    onStarted?.(jobId);
  });
  return (
    <PlanDialog
      title={`Mettre à jour ${plural(siteIds.length, 'site', 'sites')}`}
      plan={plan}
      shape="sites"
      action={updateAction}
      call={call}
      onApply={(lines) =>
        start({ targets: lines.map(({ site_id: siteId, kind, slug }) => ({ site_id: siteId, kind, slug })) })
      }
      onClose={onClose}
    />
  );
}

type UpdatePluginProps = {
  plugin: { slug: string; name: string };
  siteIds: readonly string[];
  /** The number of sites beyond the limit of one plan. */
  leftOut: number;
  onClose: () => void;
};

const pluginAction = { verb: 'Mettre à jour sur', one: 'site', many: 'sites' };

/** Updates one plugin on all sites that need it. */
export function UpdatePlugin({ plugin: { slug, name }, siteIds, leftOut, onClose }: UpdatePluginProps) {
  const query = { site_ids: [...siteIds], items: [{ kind: 'plugin' as const, slug }] };
  const plan = plansApi.usePlanUpdatesQuery(query, { refetchOnMountOrArgChange: true });
  const { start, call } = useBatch(plansApi.useApplyUpdatesMutation(), onClose);
  return (
    <PlanDialog
      title={`Mettre à jour ${name} sur ${plural(siteIds.length, 'site', 'sites')}`}
      plan={plan}
      shape="places"
      action={pluginAction}
      call={call}
      onApply={(lines) =>
        start({
          targets: lines.map(({ site_id: siteId, kind, slug: item }) => ({ site_id: siteId, kind, slug: item })),
        })
      }
      onClose={onClose}
    >
      {leftOut > 0 && (
        <p>{`${plural(leftOut, 'autre site attend', 'autres sites attendent')} cette mise à jour\u00a0: refaites un plan ensuite.`}</p>
      )}
    </PlanDialog>
  );
}
