import { plural } from '../../ui/plural';
import { plansApi } from './changes.api';
import { PlanDialog } from './PlanDialog';
import { useBatch } from '../../kit/job/useBatch';

type Props = {
  plugin: { slug: string; name: string };
  siteIds: readonly string[];
  /** The number of sites beyond the limit of one plan. */
  leftOut: number;
  onClose: () => void;
};

const updateAction = { verb: 'Mettre à jour sur', one: 'site', many: 'sites' };

/** Updates one plugin on all sites that need it. */
export function UpdatePlugin({ plugin: { slug, name }, siteIds, leftOut, onClose }: Props) {
  const query = { site_ids: [...siteIds], items: [{ kind: 'plugin' as const, slug }] };
  const plan = plansApi.usePlanUpdatesQuery(query, { refetchOnMountOrArgChange: true });
  const { start, call } = useBatch(plansApi.useApplyUpdatesMutation(), onClose);
  return (
    <PlanDialog
      title={`Mettre à jour ${name} sur ${plural(siteIds.length, 'site', 'sites')}`}
      plan={plan}
      shape="places"
      action={updateAction}
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
