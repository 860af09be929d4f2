import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { ActivityList } from '../../features/activity/ActivityList';
import type { ActivitySearch } from '../../features/activity/search';
import { FleetCard } from '../../features/dashboard/FleetCard';
import { areStepsHidden } from '../../features/dashboard/hidden-steps';
import { LastUpdate } from '../../features/dashboard/LastUpdate';
import { Parts } from '../../features/dashboard/Parts';
import type { FleetSearch } from '../../features/dashboard/search';
import { Tiles } from '../../features/dashboard/Tiles';
import { Todo } from '../../features/dashboard/Todo';
import type { CanOperate } from '../../features/dashboard/TodoAction';
import { jobName } from '../../kit/job/kinds';
import { ServersHealth } from '../../features/server-health/ServersHealth';
import { ServersInAlert } from '../../features/server-health/ServersInAlert';
import type { HealthSearch } from '../../features/server-health/search';
import { twoFactorApi } from '../../features/two-factor/two-factor.api';
import { Card } from '../../ui/Card';
import { Page } from '../../ui/Page';
import { changeSearch } from '../../kit/list/search-params';
import { useUser } from '../../kit/fleet/users';
import { overlay } from '../layout/overlays';

type Search = ActivitySearch & FleetSearch & HealthSearch;

const FirstSteps = lazyRouteComponent(() => import('../../features/dashboard/FirstSteps'), 'FirstSteps');

/** Rendered anew once the user is known, because each person hides the steps for themselves. */
function Steps({ isGuest }: { isGuest: boolean | undefined }) {
  const person = useUser();
  const { data } = twoFactorApi.useReadTwoFactorQuery(undefined, { refetchOnMountOrArgChange: true });
  if (isGuest || areStepsHidden(person?.id)) return null;
  // Nothing is shown before it is known who the steps are for.
  const hasTwoFactor = isGuest === false ? data?.enabled : undefined;
  return (
    <Suspense fallback={<Card data-loading h={168} style={{ visibility: 'hidden' }} />}>
      <FirstSteps key={person?.id} userId={person?.id} hasTwoFactor={hasTwoFactor} />
    </Suspense>
  );
}

export type DashboardProps = {
  search: Search;
  /** The user owns nothing, and sees the sites of other people. Undefined until it is known. */
  isGuest: boolean | undefined;
  canOperate: CanOperate;
};

/** Each part belongs to its own feature and fails on its own. What needs somebody comes first. */
export function Dashboard({ search, isGuest, canOperate }: DashboardProps) {
  const navigate = useNavigate();
  const show = (change: Partial<Search>) => void navigate({ to: '/', ...changeSearch(change) });
  return (
    <Page title="Tableau de bord" lead={<LastUpdate />} maxWidth={1440}>
      <Parts>
        <Steps isGuest={isGuest} />
        <Parts areColumns>
          <Parts>
            <Todo
              canOperate={canOperate}
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
