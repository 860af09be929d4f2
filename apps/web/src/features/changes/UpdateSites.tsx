import { plural } from '../../ui/plural';
import { plansApi } from './changes.api';
import { PlanDialog } from './PlanDialog';
import { updateAction } from './update-action';
import { useApply } from './useApply';

type Props = { siteIds: readonly string[]; onClose: () => void };

/** All updates of the chosen sites. */
export function UpdateSites({ siteIds, onClose }: Props) {
  const plan = plansApi.usePlanUpdatesQuery({ site_ids: [...siteIds] }, { refetchOnMountOrArgChange: true });
  const [update] = plansApi.useApplyUpdatesMutation();
  const { apply, isSending, failure } = useApply(update, onClose);
  return (
    <PlanDialog
      title={`Mettre à jour ${plural(siteIds.length, 'site', 'sites')}`}
      plan={plan}
      shape="sites"
      action={updateAction}
      isSending={isSending}
      failure={failure}
      onApply={(lines) =>
        apply({ targets: lines.map(({ site_id: siteId, kind, slug }) => ({ site_id: siteId, kind, slug })) })
      }
      onClose={onClose}
    />
  );
}
