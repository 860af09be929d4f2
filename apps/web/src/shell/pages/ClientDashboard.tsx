import { createBackup } from '@vigie/contracts/backups';
import { rightsOn, useGuest } from '../../kit/fleet/guests';
import { Dashboard, type DashboardProps } from './Dashboard';

/** A person who owns nothing and sees the sites of other people has nothing to set up. */
export function ClientDashboard({ search }: Pick<DashboardProps, 'search'>) {
  const { isGuest, sites } = useGuest(true);
  const rights = rightsOn(sites);
  return (
    <Dashboard search={search} isGuest={isGuest && sites.length > 0} canOperate={(id) => rights(id, createBackup)} />
  );
}
