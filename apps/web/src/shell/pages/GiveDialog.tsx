import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { Target } from '../../features/owner-changes/owner-changes.api';
import { session } from '../../kit/query/session';

const Owner = lazyRouteComponent(() => import('../../features/owner-changes/OwnerDialog'), 'OwnerDialog');

type Props = { target: Target; list: '/sites' | '/servers'; onClose: () => void };

/** Gives away what the page is about. Without the admin mode it is out of sight then, and its list is shown. */
export function GiveDialog({ target, list, onClose }: Props) {
  const navigate = useNavigate();
  const showList = () => void navigate({ to: list, search: {}, replace: true });
  return (
    <Suspense>
      <Owner
        key={target.ids[0]}
        target={target}
        onDone={session.get().adminMode ? onClose : showList}
        onClose={onClose}
      />
    </Suspense>
  );
}
