import { Button } from '@mantine/core';
import { updateItem } from '@vigie/contracts/changes';
import { Link } from '@tanstack/react-router';
import { ArrowUpCircle, History } from 'lucide-react';
import { useState } from 'react';
import { allows } from '../../kit/fleet/roles';
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog';
import toolbar from '../../ui/Toolbar.module.css';
import { RollbackDialog } from './RollbackDialog';
import { ItemMessages } from './ItemMessages';
import { coreItem, itemKey, changeRequest } from './change-requests';
import { type Submit, useSubmit, type LoadedSite, type SiteChanges, useSiteChanges } from './useSiteChanges';
import { formatVersions } from './words';

const coreKey = itemKey(coreItem);

type ConfirmProps = { loadedSite: LoadedSite; onUpdate: Submit; onClose: () => void };

/** Needs a confirmation because a rollback loses what is written on the site meanwhile. */
function ConfirmUpdate({ loadedSite: { site }, onUpdate, onClose }: ConfirmProps) {
  const { call, run } = useSubmit(onClose);
  return (
    <ConfirmDialog
      title="Mettre WordPress à jour&#8239;?"
      action="Mettre à jour"
      color="accent"
      call={call}
      onConfirm={() => run(onUpdate)}
      onCancel={onClose}
    >
      <p>
        <strong>{`${site.name}\u00a0: ${formatVersions(site.wpCore.version, site.wpCore.new_version)}`}</strong>
      </p>
      <p>
        Vigie copie d’abord les fichiers de WordPress et la base de données. Si le site va moins bien ensuite, elle
        restaure les deux ensemble, sans attendre votre accord.
      </p>
      <p>
        <strong>Ce retour efface ce qui est écrit sur le site entre-temps</strong>
        &#160;: articles, commentaires, commandes. Un site sur SQLite ne retrouve que ses fichiers.{' '}
        <Link to="/sites/$siteId/backups" params={{ siteId: site.id }} search={{}} onClick={onClose}>
          Sauvegarder d’abord
        </Link>
      </p>
    </ConfirmDialog>
  );
}

type ButtonsProps = { site: LoadedSite['site']; isBusy: boolean; onOpen: (dialog: 'update' | 'restore') => void };

const CoreButtons = ({ site, isBusy, onOpen }: ButtonsProps) => (
  <div className={toolbar['actions']}>
    <Button
      variant="default"
      disabled={!site.wpCore.hasUpdate || isBusy}
      leftSection={<ArrowUpCircle size={16} aria-hidden />}
      onClick={() => onOpen('update')}
    >
      Mettre WordPress à jour
    </Button>
    {site.previous && (
      <Button
        variant="default"
        h="auto"
        mih="var(--control-height)"
        styles={{ label: { whiteSpace: 'normal' } }}
        disabled={isBusy}
        leftSection={<History size={16} aria-hidden />}
        onClick={() => onOpen('restore')}
      >
        {`Revenir à la version précédente (${site.previous.version ?? 'inconnue'})`}
      </Button>
    )}
  </div>
);

/** The update and rollback of WordPress itself. */
export function CoreChanges(loadedSite: LoadedSite) {
  const { site } = loadedSite;
  const changes = useSiteChanges(loadedSite);
  const [open, setOpen] = useState<'update' | 'restore'>();
  const status = changes.statusOf(coreKey);
  return (
    <>
      {allows(site, updateItem) && <CoreButtons site={site} isBusy={status.isBusy} onOpen={setOpen} />}
      <ItemMessages name="WordPress" status={status} onDismiss={(jobId) => changes.dismiss(coreKey, jobId)} />
      {open && <OpenDialog {...{ open, loadedSite, changes }} onClose={() => setOpen(undefined)} />}
    </>
  );
}

type OpenDialogProps = {
  open: 'update' | 'restore';
  loadedSite: LoadedSite;
  changes: SiteChanges;
  onClose: () => void;
};

function OpenDialog({ open, loadedSite, changes, onClose }: OpenDialogProps) {
  const { wpCore, previous } = loadedSite.site;
  const start = () => changes.start(changeRequest(open, coreItem));
  if (open === 'update') return <ConfirmUpdate loadedSite={loadedSite} onUpdate={start} onClose={onClose} />;
  if (!previous) return null;
  return (
    <RollbackDialog name="WordPress" version={wpCore.version} previous={previous} onRestore={start} onClose={onClose} />
  );
}
