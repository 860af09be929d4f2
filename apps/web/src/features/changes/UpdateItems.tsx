import type { Site, SiteExtension } from '@vigie/contracts/sites';
import { useState } from 'react';
import { plural } from '../../ui/plural';
import { changesApi, plansApi } from './changes.api';
import { PlanDialog } from './PlanDialog';
import { updateAction } from './update-action';
import { useBatch } from '../../kit/job/useBatch';

type Props = { site: Site; items: readonly SiteExtension[]; onClose: () => void };

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
