import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { GroupsPage } from '../../features/groups/Page';
import type { GroupsSearch } from '../../features/groups/search';
import { useGroups } from '../../kit/fleet/groups';
import { isOwn } from '../../kit/fleet/roles';
import { changeSearch } from '../../kit/list/search-params';

const Owner = lazyRouteComponent(() => import('../../features/owner-changes/OwnerDialog'), 'OwnerDialog');
const StatusPage = lazyRouteComponent(() => import('../../features/status-pages/StatusPageDialog'), 'StatusPageDialog');
const Share = lazyRouteComponent(() => import('../../features/grants/ShareDialog'), 'ShareDialog');

/** The groups, and the dialogs that share one of them, publish its state and give it away. */
export function GroupsScreen({ search }: { search: GroupsSearch }) {
  const navigate = useNavigate();
  const { groups } = useGroups();
  const shared = groups.find(({ id }) => id === search.share);
  const given = groups.find(({ id }) => id === search.owner);
  const published = groups.find((group) => group.id === search.page && isOwn(group));
  const close = () =>
    void navigate({
      to: '/groups',
      ...changeSearch<GroupsSearch>({ share: undefined, owner: undefined, page: undefined }),
    });
  return (
    <>
      <GroupsPage search={search} />
      {shared && (
        <Suspense>
          <Share key={shared.id} target={{ kind: 'group', id: shared.id, name: shared.name }} onClose={close} />
        </Suspense>
      )}
      {published && (
        <Suspense>
          <StatusPage key={published.id} group={published} onClose={close} />
        </Suspense>
      )}
      {given && (
        <Suspense>
          <Owner
            key={given.id}
            target={{ kind: 'group', ids: [given.id], name: given.name, ownerId: given.owner_id }}
            onDone={close}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
}
