import { plural } from '../../ui/plural';
import { plansApi } from './changes.api';
import { PlanDialog } from './PlanDialog';
import { updateAction } from './update-action';
import { useBatch } from '../../kit/job/useBatch';

type Props = { siteIds: readonly string[]; onClose: () => void };

/** All updates of the chosen sites. */
export function UpdateSites({ siteIds, onClose }: Props) {
  const plan = plansApi.usePlanUpdatesQuery({ site_ids: [...siteIds] }, { refetchOnMountOrArgChange: true });
  const { start, call } = useBatch(plansApi.useApplyUpdatesMutation(), onClose);
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
