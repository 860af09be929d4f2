import { plural } from '../../ui/plural';
import { plansApi } from './changes.api';
import { PlanDialog } from './PlanDialog';
import { updating } from './updating';
import { useApply } from './useApply';

type Props = { sites: readonly string[]; onClose: () => void };

/** All updates of the chosen sites. */
export function UpdateSites({ sites, onClose }: Props) {
  const plan = plansApi.usePlanUpdatesQuery({ site_ids: [...sites] }, { refetchOnMountOrArgChange: true });
  const [update] = plansApi.useApplyUpdatesMutation();
  const { apply, isSending, failure } = useApply(update, onClose);
  return (
    <PlanDialog
      title={`Mettre à jour ${plural(sites.length, 'site', 'sites')}`}
      plan={plan}
      shape="sites"
      action={updating}
      isSending={isSending}
      failure={failure}
      onApply={(lines) =>
        apply({ targets: lines.map(({ site_id: site, kind, slug }) => ({ site_id: site, kind, slug })) })
      }
      onClose={onClose}
    />
  );
}
