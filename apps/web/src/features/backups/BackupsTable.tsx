import { Button } from '@mantine/core';
import type { Backup } from '@vigie/contracts/backups';
import type { BackupKind } from '@vigie/contracts/jobs';
import { Download, FolderOpen, History, Save, ShieldCheck, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { IconButton } from '../../ui/IconButton';
import { actionsColumn, Table } from '../../ui/Table';
import table from '../../ui/Table.module.css';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { useNarrow } from '../../ui/useNarrow';
import { When } from '../../ui/When';
import styles from './BackupsTable.module.css';
import { spellMo, verifiedHint, verifiedWord } from './words';

export type Deeds = {
  isBusy: (kind: BackupKind, filename: string) => boolean;
  /** The filename whose download link is being requested. */
  savingNow: string | undefined;
  download: (backup: Backup) => void;
  verify: (backup: Backup) => void;
  save: (backup: Backup) => void;
  open: (backup: Backup) => void;
  /** A site runs one restore at a time. */
  isRestoring: boolean;
  restore: (backup: Backup) => void;
  remove: (backup: Backup) => void;
};

type Of = { backup: Backup; deeds: Deeds };
type Props = { items: readonly Backup[]; deeds: Deeds };

/** Receives the focus of a deleted row. */
const place = '#backups';

const keyOf = ({ location, filename }: Backup) => `${location} ${filename}`;

function About({ filename, storage, location, verified }: Backup) {
  return (
    <>
      <span className={styles['file']}>{filename}</span>
      <p className={table['more']}>
        {location === 'Local' ? 'Copie gardée par Vigie' : storage}
        {verified && (
          <span title={verifiedHint(verified)}>
            {` · ${verifiedWord(verified)} `}
            <When at={verified.at} />
          </span>
        )}
      </p>
    </>
  );
}

/** Copies a backup from the host to Vigie, or saves Vigie's copy on the user's computer. */
function Fetch({ backup, deeds: { isBusy, savingNow, download, save } }: Of) {
  const { filename, location } = backup;
  return location === 'Local' ? (
    <IconButton
      icon={Save}
      title="Enregistrer"
      label={`Enregistrer ${filename} sur cet ordinateur`}
      disabled={savingNow === filename}
      onClick={() => save(backup)}
    />
  ) : (
    <IconButton
      icon={Download}
      title="Télécharger"
      label={`Télécharger ${filename} dans Vigie`}
      disabled={isBusy('backups.download', filename)}
      onClick={() => download(backup)}
    />
  );
}

const whereOf = ({ location }: Backup) => (location === 'Local' ? 'de Vigie' : 'de l’hôte');

function Restore({ backup, deeds: { isRestoring, restore } }: Of) {
  const why = useId();
  const reason = backup.is_usable
    ? isRestoring && 'Une restauration est déjà en cours.'
    : 'Nom inutilisable\u00a0: Vigie n’y touche pas.';
  return (
    <>
      <Button
        variant="default"
        disabled={reason !== false}
        title={reason || undefined}
        aria-label={`Restaurer ${backup.filename} ${whereOf(backup)}`}
        aria-describedby={reason === false ? undefined : why}
        leftSection={<History size={16} aria-hidden />}
        onClick={() => restore(backup)}
      >
        Restaurer
      </Button>
      {reason !== false && (
        <p id={why} hidden={backup.is_usable} className={table['more']}>
          {reason}
        </p>
      )}
    </>
  );
}

function Actions({ backup, deeds }: Of) {
  const { filename, location, is_usable: isUsable } = backup;
  const where = whereOf(backup);
  if (!isUsable) {
    return (
      <div className={styles['actions']}>
        <Restore backup={backup} deeds={deeds} />
      </div>
    );
  }
  return (
    <div className={styles['actions']}>
      <Restore backup={backup} deeds={deeds} />
      <Fetch backup={backup} deeds={deeds} />
      {location === 'Local' && (
        <IconButton icon={FolderOpen} title="Ouvrir" label={`Ouvrir ${filename}`} onClick={() => deeds.open(backup)} />
      )}
      <IconButton
        icon={ShieldCheck}
        title="Vérifier"
        label={`Vérifier ${filename} ${where}`}
        disabled={deeds.isBusy('backups.verify', filename)}
        onClick={() => deeds.verify(backup)}
      />
      <IconButton
        icon={Trash2}
        title="Supprimer"
        label={`Supprimer ${filename} ${where}`}
        onClick={() => deeds.remove(backup)}
      />
    </div>
  );
}

function Row({ backup, deeds }: Of) {
  const line = useFocusHandOver<HTMLTableRowElement>(place);
  return (
    <tr ref={line}>
      <th scope="row" className={table['name']}>
        <About {...backup} />
      </th>
      <td data-column="size">{spellMo(backup.size)}</td>
      <td>
        <When at={backup.createdAt} />
      </td>
      <td>{backup.location}</td>
      <td>
        <Actions backup={backup} deeds={deeds} />
      </td>
    </tr>
  );
}

const columns = [
  { label: 'Nom' },
  { column: 'size', label: 'Taille' },
  { column: 'date', label: 'Date' },
  { column: 'place', label: 'Emplacement' },
  actionsColumn,
];

const Rows = ({ items, deeds }: Props) => (
  <Table className={styles['table']} columns={columns}>
    <tbody>
      {items.map((backup) => (
        <Row key={keyOf(backup)} backup={backup} deeds={deeds} />
      ))}
    </tbody>
  </Table>
);

function Card({ backup, deeds }: Of) {
  const card = useFocusHandOver<HTMLLIElement>(place);
  return (
    <li ref={card} className={styles['card']}>
      <About {...backup} />
      <p className={styles['facts']}>
        {spellMo(backup.size)} · <When at={backup.createdAt} /> · {backup.location}
      </p>
      <Actions backup={backup} deeds={deeds} />
    </li>
  );
}

const Cards = ({ items, deeds }: Props) => (
  <ul>
    {items.map((backup) => (
      <Card key={keyOf(backup)} backup={backup} deeds={deeds} />
    ))}
  </ul>
);

export function BackupsList(props: Props) {
  const isNarrow = useNarrow(1200);
  const Shape = isNarrow ? Cards : Rows;
  return <Shape {...props} />;
}
