import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ArrowUpCircle, History } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { GoBackDialog } from './GoBackDialog';
import { ItemNews } from './ItemNews';
import styles from './CoreChanges.module.css';
import { coreItem, keyOf, orderOf } from './orders';
import { type Ask, useAsked } from './useAsked';
import { type SiteRead, useSiteChanges } from './useSiteChanges';
import { spellVersions } from './words';

const key = keyOf(coreItem);

type ConfirmProps = { read: SiteRead; onUpdate: Ask; onClose: () => void };

/** Needs a confirmation because a rollback loses what is written on the site meanwhile. */
function ConfirmUpdate({ read: { site }, onUpdate, onClose }: ConfirmProps) {
  const { isBusy, failure, run } = useAsked(onClose);
  return (
    <ConfirmDialog
      title="Mettre WordPress à jour&#8239;?"
      action="Mettre à jour"
      isBusy={isBusy}
      failure={failure}
      onConfirm={() => run(onUpdate)}
      onCancel={onClose}
    >
      <p>
        <strong>{`${site.name}\u00a0: ${spellVersions(site.wpCore.version, site.wpCore.new_version)}`}</strong>
      </p>
      <p>
        Les fichiers de WordPress et la base de données sont mis de côté avant. Si le site va moins bien après, Vigie
        les remet en place ensemble, d’elle-même.
      </p>
      <p>
        <strong>Ce retour efface ce qui est écrit sur le site entre-temps</strong>
        &#160;: articles, commentaires, commandes. Un site sur SQLite ne retrouve que ses fichiers.{' '}
        <Link to="." search hash="backups" replace onClick={onClose}>
          Sauvegarder d’abord
        </Link>
      </p>
    </ConfirmDialog>
  );
}

/** The update and rollback of WordPress itself. */
export function CoreChanges(read: SiteRead) {
  const { site } = read;
  const changes = useSiteChanges(read);
  const [open, setOpen] = useState<'update' | 'restore'>();
  const standing = changes.of(key);
  const close = () => setOpen(undefined);
  return (
    <>
      <div className={styles['actions']}>
        <Button
          disabled={!site.wpCore.hasUpdate || standing.isBusy}
          leftSection={<ArrowUpCircle size={16} aria-hidden />}
          onClick={() => setOpen('update')}
        >
          Mettre WordPress à jour
        </Button>
        {site.previous && (
          <Button
            variant="default"
            styles={{ label: { whiteSpace: 'normal' } }}
            disabled={standing.isBusy}
            leftSection={<History size={16} aria-hidden />}
            onClick={() => setOpen('restore')}
          >
            {`Revenir à la version précédente (${site.previous.version ?? 'inconnue'})`}
          </Button>
        )}
      </div>
      <ItemNews name="WordPress" standing={standing} onDismiss={(job) => changes.dismiss(key, job)} />
      {open === 'update' && (
        <ConfirmUpdate read={read} onUpdate={() => changes.start(orderOf('update', coreItem))} onClose={close} />
      )}
      {open === 'restore' && site.previous && (
        <GoBackDialog
          name="WordPress"
          version={site.wpCore.version}
          previous={site.previous}
          onRestore={() => changes.start(orderOf('restore', coreItem))}
          onClose={close}
        />
      )}
    </>
  );
}
