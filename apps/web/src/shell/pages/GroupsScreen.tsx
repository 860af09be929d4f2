import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { GroupsPage } from '../../features/groups/Page';
import type { GroupsSearch } from '../../features/groups/search';
import { useGroups } from '../../kit/fleet/groups';
import { changeSearch } from '../../kit/list/search-params';

const Share = lazyRouteComponent(() => import('../../features/grants/ShareDialog'), 'ShareDialog');

/** The groups, and the dialog that shares one of them. */
export function GroupsScreen({ search }: { search: GroupsSearch }) {
  const navigate = useNavigate();
  const shared = useGroups().groups.find(({ id }) => id === search.share);
  const close = () => void navigate({ to: '/groups', ...changeSearch<GroupsSearch>({ share: undefined }) });
  return (
    <>
      <GroupsPage search={search} />
      {shared && (
        <Suspense>
          <Share key={shared.id} target={{ kind: 'group', id: shared.id, name: shared.name }} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
