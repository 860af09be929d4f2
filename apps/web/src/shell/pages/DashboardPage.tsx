import { SimpleGrid } from '@mantine/core';
import '@mantine/core/styles/SimpleGrid.layer.css';
import { useNavigate } from '@tanstack/react-router';
import { ActivityList } from '../../features/activity/ActivityList';
import type { ActivitySearch } from '../../features/activity/search';
import { FirstSteps } from '../../features/dashboard/FirstSteps';
import { Tiles } from '../../features/dashboard/Tiles';
import { Todo } from '../../features/dashboard/Todo';
import { jobName } from '../../kit/job/kinds';
import { ServersHealth } from '../../features/server-health/ServersHealth';
import { ServersInAlert } from '../../features/server-health/ServersInAlert';
import type { HealthSearch } from '../../features/server-health/search';
import { twoFactorApi } from '../../features/two-factor/two-factor.api';
import { Page } from '../../ui/Page';
import { changeSearch } from '../../kit/list/search-params';
import { useUser } from '../../kit/fleet/users';

type Search = ActivitySearch & HealthSearch;

/** Rendered once the user is known, because each person hides the steps for themselves. */
function Steps() {
  const person = useUser();
  const { data } = twoFactorApi.useReadTwoFactorQuery(undefined, { refetchOnMountOrArgChange: true });
  return person && <FirstSteps key={person.id} userId={person.id} hasTwoFactor={data?.enabled} />;
}

/** Each part belongs to its own feature and fails on its own. */
export function DashboardPage({ search }: { search: Search }) {
  const navigate = useNavigate();
  const show = (change: Partial<Search>) => void navigate({ to: '/', ...changeSearch(change) });
  return (
    <Page
      title="Tableau de bord"
      lead="Ce qu’il reste à traiter, l’état des serveurs et l’activité récente."
      maxWidth={1440}
    >
      <Steps />
      <Tiles />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing={16} style={{ alignItems: 'start' }}>
        <Todo nameOf={jobName} onShowFailed={() => void navigate({ to: '/tasks', search: { show: 'failed' } })} />
        <ServersInAlert search={search} />
      </SimpleGrid>
      <ServersHealth search={search} onChange={show} />
      <ActivityList search={search} onChange={show} />
    </Page>
  );
}
