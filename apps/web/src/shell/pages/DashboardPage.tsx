import { useNavigate } from '@tanstack/react-router';
import { ActivityList } from '../../features/activity/ActivityList';
import type { ActivitySearch } from '../../features/activity/search';
import { useSummary } from '../../features/dashboard/dashboard.api';
import { FirstSteps } from '../../features/dashboard/FirstSteps';
import { FleetCard } from '../../features/dashboard/FleetCard';
import { LastUpdate } from '../../features/dashboard/LastUpdate';
import { Parts } from '../../features/dashboard/Parts';
import type { FleetSearch } from '../../features/dashboard/search';
import { Tiles } from '../../features/dashboard/Tiles';
import { Todo } from '../../features/dashboard/Todo';
import { jobName } from '../../kit/job/kinds';
import { ServersHealth } from '../../features/server-health/ServersHealth';
import { ServersInAlert } from '../../features/server-health/ServersInAlert';
import type { HealthSearch } from '../../features/server-health/search';
import { twoFactorApi } from '../../features/two-factor/two-factor.api';
import { Page } from '../../ui/Page';
import { rightsOn, useGuest, useIsClient } from '../../kit/fleet/guests';
import { changeSearch } from '../../kit/list/search-params';
import { useUser } from '../../kit/fleet/users';
import { overlay } from '../layout/overlays';

type Search = ActivitySearch & FleetSearch & HealthSearch;

/** Whoever owns nothing and sees the sites of other people has nothing to set up. */
function useShared() {
  const isClient = useIsClient();
  const { data } = useSummary();
  const mayBeGuest = data !== undefined && data.counts.servers === 0 && data.counts.sites > 0;
  const { isGuest, sites } = useGuest(isClient || mayBeGuest);
  return { isGuest: isGuest && sites.length > 0, sites };
}

/** Rendered anew once the user is known, because each person hides the steps for themselves. */
function Steps({ isGuest }: { isGuest: boolean | undefined }) {
  const person = useUser();
  const { data } = twoFactorApi.useReadTwoFactorQuery(undefined, { refetchOnMountOrArgChange: true });
  if (isGuest) return null;
  // Nothing is shown before it is known who the steps are for.
  return (
    <FirstSteps key={person?.id} userId={person?.id} hasTwoFactor={isGuest === false ? data?.enabled : undefined} />
  );
}

/** Each part belongs to its own feature and fails on its own. What needs somebody comes first. */
export function DashboardPage({ search }: { search: Search }) {
  const navigate = useNavigate();
  const { isGuest, sites } = useShared();
  const show = (change: Partial<Search>) => void navigate({ to: '/', ...changeSearch(change) });
  return (
    <Page title="Tableau de bord" lead={<LastUpdate />} maxWidth={1440}>
      <Parts>
        <Steps isGuest={isGuest} />
        <Parts areColumns>
          <Parts>
            <Todo
              rights={rightsOn(sites)}
              nameOf={jobName}
              onShowFailed={() => void navigate({ to: '/tasks', search: { show: 'failed' } })}
              onUpdate={(ids) => overlay.set({ verb: 'update', siteIds: ids })}
              onBackup={(ids) => overlay.set({ verb: 'backup', siteIds: ids })}
            />
            {!isGuest && <ServersInAlert search={search} />}
          </Parts>
          <FleetCard search={search} onChange={show} />
        </Parts>
        <Tiles />
        {!isGuest && <ServersHealth search={search} onChange={show} />}
        <ActivityList search={search} onChange={show} />
      </Parts>
    </Page>
  );
}
