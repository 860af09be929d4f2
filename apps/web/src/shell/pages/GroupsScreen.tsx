import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import type { Group } from '@vigie/contracts/groups';
import { createMaintenanceWindow } from '@vigie/contracts/maintenance-windows';
import { Suspense } from 'react';
import { GroupsPage } from '../../features/groups/Page';
import type { GroupsSearch } from '../../features/groups/search';
import { useGroups } from '../../kit/fleet/groups';
import { allows, isOwn } from '../../kit/fleet/roles';
import { changeSearch } from '../../kit/list/search-params';

const Maintenance = lazyRouteComponent(
  () => import('../../features/maintenance-windows/MaintenanceDialog'),
  'MaintenanceDialog',
);
const Owner = lazyRouteComponent(() => import('../../features/owner-changes/OwnerDialog'), 'OwnerDialog');
const StatusPage = lazyRouteComponent(() => import('../../features/status-pages/StatusPageDialog'), 'StatusPageDialog');
const Share = lazyRouteComponent(() => import('../../features/grants/ShareDialog'), 'ShareDialog');

type DialogProps = { groups: readonly Group[]; search: GroupsSearch; onClose: () => void };

function GroupDialogs({ groups, search, onClose }: DialogProps) {
  const find = (id: string | undefined) => groups.find((group) => group.id === id);
  const shared = find(search.share);
  if (shared) return <Share key={shared.id} target={{ kind: 'group', ...shared }} onClose={onClose} />;
  const published = find(search.page);
  if (published && isOwn(published)) return <StatusPage key={published.id} group={published} onClose={onClose} />;
  const maintained = find(search.maintenance);
  if (maintained && allows(maintained, createMaintenanceWindow))
    return <Maintenance key={maintained.id} target={{ kind: 'group', ...maintained }} onClose={onClose} />;
  const given = find(search.owner);
  if (!given) return null;
  const target = { kind: 'group' as const, ids: [given.id], name: given.name, ownerId: given.owner_id };
  return <Owner key={given.id} target={target} onDone={onClose} onClose={onClose} />;
}

/** The groups, and the dialogs that share one of them, publish its state, plan its maintenance and give it away. */
export function GroupsScreen({ search }: { search: GroupsSearch }) {
  const navigate = useNavigate();
  const { groups } = useGroups();
  const closed = { share: undefined, owner: undefined, page: undefined, maintenance: undefined };
  const close = () => void navigate({ to: '/groups', ...changeSearch<GroupsSearch>(closed) });
  return (
    <>
      <GroupsPage search={search} />
      <Suspense>
        <GroupDialogs groups={groups} search={search} onClose={close} />
      </Suspense>
    </>
  );
}
