import { Button } from '@mantine/core';
import { lazyRouteComponent, Outlet, useNavigate } from '@tanstack/react-router';
import { createBackup } from '@vigie/contracts/backups';
import { planUpdates } from '@vigie/contracts/changes';
import { runCommand } from '@vigie/contracts/site-commands';
import { checkForRepairs } from '@vigie/contracts/site-repairs';
import type { Site } from '@vigie/contracts/sites';
import { ArrowUpCircle } from 'lucide-react';
import { Suspense } from 'react';
import { BackupButton } from '../../features/backups/BackupButton';
import { backupsApi } from '../../features/backups/backups.api';
import type { RepairsSearch } from '../../features/site-repairs/search';
import { RepairsLink } from '../../features/sites/ProblemCard';
import type { SiteSearch } from '../../features/sites/search';
import { SitePage } from '../../features/sites/SitePage';
import { countUpdates, isBroken } from '../../features/sites/words';
import { allows } from '../../kit/fleet/roles';
import { useLoadedSite } from '../../kit/fleet/sites';
import { changeSearch } from '../../kit/list/search-params';
import { overlay } from '../layout/overlays';
import { GiveDialog } from './GiveDialog';

const Command = lazyRouteComponent(() => import('../../features/site-commands/CommandDialog'), 'CommandDialog');
const Share = lazyRouteComponent(() => import('../../features/grants/ShareDialog'), 'ShareDialog');
const Repairs = lazyRouteComponent(() => import('../../features/site-repairs/RepairsPanel'), 'RepairsPanel');

type Props = { id: string; search: SiteSearch & RepairsSearch };

/** The actions that a person comes for most often, and that their role allows. */
function MainActions({ site }: { site: Site }) {
  const updates = countUpdates(site) ?? 0;
  const isToRepair = isBroken(site) && allows(site, checkForRepairs);
  return (
    <>
      {isToRepair && <RepairsLink look={{ variant: 'filled', w: { base: '100%', sm: 'auto' } }} />}
      {allows(site, createBackup) && (
        <BackupButton key={site.id} siteId={site.id} variant={isToRepair ? 'default' : 'filled'} />
      )}
      {updates > 0 && allows(site, planUpdates) && (
        <Button
          variant="default"
          leftSection={<ArrowUpCircle size={16} aria-hidden />}
          onClick={() => overlay.set({ verb: 'update', siteIds: [site.id] })}
        >
          {`Mettre à jour tout (${updates})`}
        </Button>
      )}
    </>
  );
}

/** The head and the tabs of a site, around the tab that the address names. */
export function SiteLayout({ id, search }: Props) {
  // The host is not asked for its backups before somebody opens their tab.
  const { site } = useLoadedSite(id);
  const canRepair = site !== undefined && allows(site, checkForRepairs);
  const { currentData: backups } = backupsApi.endpoints.backups.useQueryState({ id });
  return (
    <>
      <SitePage id={id} search={search} backups={backups?.length} actions={MainActions}>
        <Outlet />
      </SitePage>
      {search.command && <CommandOn id={id} />}
      {search.share && <ShareOf id={id} />}
      {search.owner && <GiveSite id={id} />}
      {search.repairs && canRepair && <RepairsOf id={id} jobId={search.examined} />}
    </>
  );
}

function CommandOn({ id }: { id: string }) {
  const navigate = useNavigate();
  const { site } = useLoadedSite(id);
  if (!site || !allows(site, runCommand)) return null;
  const close = () => void navigate({ to: '.', ...changeSearch<SiteSearch>({ command: undefined }) });
  return (
    <Suspense>
      <Command key={id} ids={[id]} onClose={close} />
    </Suspense>
  );
}

function ShareOf({ id }: { id: string }) {
  const navigate = useNavigate();
  const { site } = useLoadedSite(id);
  if (!site) return null;
  const close = () => void navigate({ to: '.', ...changeSearch<SiteSearch>({ share: undefined }) });
  return (
    <Suspense>
      <Share key={id} target={{ kind: 'site', id, name: site.name }} onClose={close} />
    </Suspense>
  );
}

function GiveSite({ id }: { id: string }) {
  const navigate = useNavigate();
  const { site } = useLoadedSite(id);
  if (!site) return null;
  const close = () => void navigate({ to: '.', ...changeSearch<SiteSearch>({ owner: undefined }) });
  const { name, owner_id: ownerId } = site;
  return <GiveDialog target={{ kind: 'site', ids: [id], name, ownerId }} list="/sites" onClose={close} />;
}

function RepairsOf({ id, jobId }: { id: string; jobId: string | undefined }) {
  const navigate = useNavigate();
  const show = (change: RepairsSearch) => void navigate({ to: '.', ...changeSearch(change) });
  return (
    // Without its own Suspense, a loading panel would replace the site too.
    <Suspense>
      <Repairs
        key={id}
        siteId={id}
        jobId={jobId}
        onFollow={(examined) => show({ examined })}
        onClose={() => show({ repairs: undefined, examined: undefined })}
      />
    </Suspense>
  );
}
