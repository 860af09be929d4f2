import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import type { SiteBatchVerb } from '@vigie/contracts/site-batches';
import { type ComponentProps, Suspense, useState } from 'react';
import { UpdateSites } from '../../features/changes/UpdateDialogs';
import { BatchDialog } from '../../features/site-batches/BatchDialog';
import { BatchOutcome } from '../../features/site-batches/BatchOutcome';
import { startedBatch } from '../../features/site-batches/started-batch';
import { ImportCsv } from '../../features/site-csv/ImportCsv';
import { useSitesExport } from '../../features/site-csv/site-csv.api';
import { DiscoverSites } from '../../features/site-discovery/DiscoverSites';
import type { DiscoverySearch } from '../../features/site-discovery/search';
import type { ViewContent } from '../../features/site-views/view-content';
import { SiteViews } from '../../features/site-views/SiteViews';
import { chooseColumns, chosenColumns } from '../../features/sites/columns';
import { SitesPage } from '../../features/sites/Page';
import { firstSort, type SitesSearch } from '../../features/sites/search';
import { changeSearch } from '../../kit/list/search-params';
import { useSignal } from '../../ui/signal';

const Command = lazyRouteComponent(() => import('../../features/site-commands/CommandDialog'), 'CommandDialog');
const Owner = lazyRouteComponent(() => import('../../features/owner-changes/OwnerDialog'), 'OwnerDialog');

type Search = ComponentProps<typeof SitesPage>['search'] & DiscoverySearch & { csv?: boolean | undefined };
type Props = { search: Search };

function useCurrentView({
  q = '',
  group: groupId,
  server: serverId,
  status,
  sort = firstSort,
}: SitesSearch): ViewContent {
  const columns = [...useSignal(chosenColumns)];
  return { q, group_id: groupId ?? null, server_id: serverId ?? null, status: status ?? null, sort, columns };
}

const searchOf = ({ q, group_id: groupId, server_id: serverId, status, sort }: ViewContent): Partial<SitesSearch> => ({
  q: q || undefined,
  group: groupId ?? undefined,
  server: serverId ?? undefined,
  status: status ?? undefined,
  sort: sort === firstSort ? undefined : sort,
  page: undefined,
});

/** Other ways to add sites, and the way out. */
function useSitesMenu(search: Search) {
  const navigate = useNavigate();
  const { exportFilter, exportChosen } = useSitesExport();
  const { q, group, server, status } = search;
  const change = (next: Partial<Search>) => void navigate({ to: '/sites', ...changeSearch<Search>(next) });
  return {
    change,
    onDiscover: () => change({ find: true }),
    onImportCsv: () => change({ csv: true }),
    onExport: (ids?: readonly string[]) =>
      ids ? exportChosen(ids) : exportFilter({ q, group_id: group, server_id: server, status }),
  };
}

type Batch = { verb: SiteBatchVerb | 'command' | 'owner'; ids: readonly string[] };
type BatchProps = { batch: Batch; onDone: (jobId?: string) => void; onClose: () => void };

function BatchOf({ batch: { verb, ids }, onDone, onClose }: BatchProps) {
  if (verb === 'command') {
    return (
      <Suspense>
        <Command ids={ids} onStarted={onDone} onClose={onClose} />
      </Suspense>
    );
  }
  if (verb !== 'owner') return <BatchDialog verb={verb} ids={ids} onDone={onDone} onClose={onClose} />;
  const finish = () => {
    onClose();
    onDone();
  };
  return (
    <Suspense>
      <Owner target={{ kind: 'site', ids }} onDone={finish} onClose={onClose} />
    </Suspense>
  );
}

/** The list of sites with its saved views and its batch actions. */
export function SitesScreen({ search }: Props) {
  const [updating, setUpdating] = useState<readonly string[]>();
  const [batch, setBatch] = useState<Batch>();
  const [round, setRound] = useState(0);
  /** The selection has served, and the list follows the job. */
  const follow = (jobId?: string) => {
    setRound((last) => last + 1);
    if (jobId !== undefined) startedBatch.set(jobId);
  };
  const current = useCurrentView(search);
  const { change, ...menu } = useSitesMenu(search);
  const show = (view: ViewContent) => {
    chooseColumns(view.columns);
    change(searchOf(view));
  };
  return (
    <>
      <SitesPage
        search={search}
        selectionKey={round}
        views={<SiteViews current={current} onShow={show} />}
        outcome={<BatchOutcome />}
        onStarted={follow}
        onUpdate={setUpdating}
        onBatch={(verb, ids) => setBatch({ verb, ids })}
        onCommand={(ids) => setBatch({ verb: 'command', ids })}
        onGive={(ids) => setBatch({ verb: 'owner', ids })}
        menu={menu}
      />
      <DiscoverSites search={search} onChange={change} />
      {search.csv && <ImportCsv onClose={() => change({ csv: undefined })} />}
      {updating && <UpdateSites siteIds={updating} onStarted={follow} onClose={() => setUpdating(undefined)} />}
      {batch && <BatchOf batch={batch} onClose={() => setBatch(undefined)} onDone={follow} />}
    </>
  );
}
