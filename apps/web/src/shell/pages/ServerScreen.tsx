import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { ServerConsoles } from '../../features/consoles/ServerConsoles';
import { OpenIncidents, PastIncidents } from '../../features/incidents/IncidentsOf';
import { HealthHistory } from '../../features/server-health/HealthHistory';
import type { HistorySearch } from '../../features/server-health/search';
import { ServerPage } from '../../features/servers/ServerPage';
import { serversApi } from '../../features/servers/servers.api';
import type { ServerSearch } from '../../features/servers/search';
import { ServerSites } from '../../features/sites/ServerSites';
import { changeSearch } from '../../kit/list/search-params';
import { GiveDialog } from './GiveDialog';

const Discovery = lazyRouteComponent(() => import('../../features/site-discovery/DiscoveryDialog'), 'DiscoveryDialog');

type Search = ServerSearch & HistorySearch;

/** The page of a server, with what other features know of it. */
export function ServerScreen({ id, search }: { id: string; search: Search }) {
  const navigate = useNavigate();
  const show = (change: Partial<Search>) =>
    void navigate({ to: '/servers/$serverId', params: { serverId: id }, ...changeSearch(change) });
  return (
    <>
      <ServerPage
        id={id}
        search={search}
        parts={{
          openIncidents: <OpenIncidents serverId={id} />,
          pastIncidents: <PastIncidents serverId={id} />,
          health: <HealthHistory serverId={id} search={search} onChange={show} />,
          sites: <ServerSites serverId={id} />,
          consoles: <ServerConsoles serverId={id} />,
        }}
      />
      {search.owner && <GiveServer id={id} onClose={() => show({ owner: undefined })} />}
      <Suspense>
        {search.discover && (
          <Discovery
            key={id}
            serverId={id}
            jobId={search.found}
            onFollow={(found) => show({ found })}
            onClose={() => show({ discover: undefined, found: undefined })}
          />
        )}
      </Suspense>
    </>
  );
}

function GiveServer({ id, onClose }: { id: string; onClose: () => void }) {
  const { currentData: server } = serversApi.endpoints.server.useQueryState({ id });
  if (!server) return null;
  const { name, owner_id: ownerId } = server;
  return <GiveDialog target={{ kind: 'server', ids: [id], name, ownerId }} list="/servers" onClose={onClose} />;
}
