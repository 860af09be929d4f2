import { Button, Stack, Text } from '@mantine/core';
import type { Backup } from '@vigie/contracts/backups';
import type { BackupKind } from '@vigie/contracts/jobs';
import { Download, FolderOpen, History, ShieldCheck, Trash2 } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import facts from '../../ui/About.module.css';
import { IconButton } from '../../ui/IconButton';
import { actionsColumn, type Column } from '../../kit/list/data-table';
import { DataTable } from '../../kit/list/DataTable';
import table from '../../kit/list/list.module.css';
import { TimeAgo } from '../../ui/TimeAgo';
import styles from './backups.module.css';
import { formatMegabytes, verifiedHint, verifiedWord } from './words';

export type BackupActions = {
  isBusy: (kind: BackupKind, filename: string) => boolean;
  /** The filename whose download link is being requested. */
  pendingPath: string | undefined;
  download: (backup: Backup) => void;
  verify: (backup: Backup) => void;
  open: (backup: Backup) => void;
  /** A site runs one restore at a time. */
  isRestoring: boolean;
  restore: (backup: Backup) => void;
  remove: (backup: Backup) => void;
};

type RowProps = { backup: Backup; actions: BackupActions };
function About({ filename, storage, location, verified }: Backup) {
  return (
    <>
      <span className={facts['file']}>{filename}</span>
      <p className={table['more']}>
        {location === 'Local' ? 'Copie gardée par Vigie' : storage}
        {verified && (
          <span title={verifiedHint(verified)}>
            {` · ${verifiedWord(verified)} `}
            <TimeAgo at={verified.at} />
          </span>
        )}
      </p>
    </>
  );
}

const locationText = ({ location }: Backup) => (location === 'Local' ? 'de Vigie' : 'de l’hôte');

/** Vigie first copies a backup that is only on the host. */
const DownloadButton = ({ backup, actions: { isBusy, pendingPath, download } }: RowProps) => (
  <IconButton
    icon={Download}
    title="Télécharger"
    label={`Télécharger ${backup.filename} ${locationText(backup)}`}
    disabled={pendingPath === backup.filename || isBusy('backups.download', backup.filename)}
    onClick={() => download(backup)}
  />
);

function RestoreButton({ backup, actions: { isRestoring, restore } }: RowProps) {
  const reasonId = useId();
  const reason = backup.is_usable
    ? isRestoring && 'Une restauration est déjà en cours.'
    : 'Nom inutilisable\u00a0: Vigie n’y touche pas.';
  return (
    <>
      <Button
        variant="default"
        disabled={reason !== false}
        title={reason || undefined}
        aria-label={`Restaurer ${backup.filename} ${locationText(backup)}`}
        aria-describedby={reason === false ? undefined : reasonId}
        leftSection={<History size={16} aria-hidden />}
        onClick={() => restore(backup)}
      >
        Restaurer
      </Button>
      {reason !== false && (
        <p id={reasonId} hidden={backup.is_usable} className={table['more']}>
          {reason}
        </p>
      )}
    </>
  );
}

function Actions({ backup, actions }: RowProps) {
  const { filename, location, is_usable: isUsable } = backup;
  const locationName = locationText(backup);
  if (!isUsable) {
    return (
      <div className={styles['actions']}>
        <RestoreButton backup={backup} actions={actions} />
      </div>
    );
  }
  return (
    <div className={styles['actions']}>
      <RestoreButton backup={backup} actions={actions} />
      <DownloadButton backup={backup} actions={actions} />
      {location === 'Local' && (
        <IconButton
          icon={FolderOpen}
          title="Ouvrir"
          label={`Ouvrir ${filename}`}
          onClick={() => actions.open(backup)}
        />
      )}
      <IconButton
        icon={ShieldCheck}
        title="Vérifier"
        label={`Vérifier ${filename} ${locationName}`}
        disabled={actions.isBusy('backups.verify', filename)}
        onClick={() => actions.verify(backup)}
      />
      <IconButton
        icon={Trash2}
        title="Supprimer"
        label={`Supprimer ${filename} ${locationName}`}
        onClick={() => actions.remove(backup)}
      />
    </div>
  );
}

const columns: readonly Column<Backup>[] = [
  { id: 'name', label: 'Nom', isRowHeader: true, render: (backup) => <About {...backup} /> },
  { id: 'size', label: 'Taille', width: 104, align: 'right', render: ({ size }) => formatMegabytes(size) },
  { id: 'date', label: 'Date', width: 128, render: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  { id: 'place', label: 'Emplacement', width: 112, render: ({ location }) => location },
];

type Props = {
  items: readonly Backup[];
  /** Undefined where the caller may only see the backups. */
  actions: BackupActions | undefined;
  /** What a row tells of its copy to Vigie. */
  renderDetails: (backup: Backup) => ReactNode;
};

export function BackupsTable({ items, actions, renderDetails }: Props) {
  const actionColumns = actions
    ? [
        {
          ...actionsColumn,
          width: 'calc(4 * var(--control-height) + 168px)',
          render: (backup: Backup) => <Actions backup={backup} actions={actions} />,
        },
      ]
    : [];
  return (
    <DataTable
      className={styles['table']}
      narrowBelow={1200}
      // A deleted row hands the focus on to the section.
      focusTo="#backups"
      rows={items}
      rowId={({ location, filename }) => `${location} ${filename}`}
      columns={[...columns, ...actionColumns]}
      renderDetails={renderDetails}
      renderCard={(backup) => (
        <Stack gap={4} p={12}>
          <About {...backup} />
          <Text fz={13}>
            {formatMegabytes(backup.size)} · <TimeAgo at={backup.createdAt} /> · {backup.location}
          </Text>
          {actions && <Actions backup={backup} actions={actions} />}
        </Stack>
      )}
    />
  );
}
