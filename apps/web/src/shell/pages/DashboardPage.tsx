import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useIsClient } from '../../kit/fleet/users';
import { Dashboard, type DashboardProps } from './Dashboard';

const ClientDashboard = lazyRouteComponent(() => import('./ClientDashboard'), 'ClientDashboard');
const always = () => true;

/** The code that finds out what is shared with a client comes later. */
export function DashboardPage({ search }: Pick<DashboardProps, 'search'>) {
  if (!useIsClient()) return <Dashboard search={search} isGuest={false} canOperate={always} />;
  return (
    <Suspense>
      <ClientDashboard search={search} />
    </Suspense>
  );
}
