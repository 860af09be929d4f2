import type { Upload } from '@vigie/contracts/uploads';
import { PackagePlus, Trash2 } from 'lucide-react';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { IconButton } from '../../ui/IconButton';
import { actionsColumn, Table } from '../../kit/list/Table';
import table from '../../kit/list/Table.module.css';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { TimeAgo } from '../../ui/TimeAgo';
import styles from './UploadsTable.module.css';
import { spellRequires, spellSize, typeLabels, versionNotDetected } from './words';

type UploadActions = { onInstall: (upload: Upload) => void; onDelete: (upload: Upload) => void };
type TableProps = UploadActions & { uploads: readonly Upload[] };

function UploadName({ upload: { filename, name, requires } }: { upload: Upload }) {
  const requirements = spellRequires(requires);
  return (
    <>
      <span className={styles['file']}>{filename}</span>
      <p className={table['more']}>{requirements === undefined ? name : `${name} · ${requirements}`}</p>
    </>
  );
}

const Version = ({ version }: Pick<Upload, 'version'>) =>
  version === null ? (
    <span title={versionNotDetected}>
      —<VisuallyHidden>{versionNotDetected}</VisuallyHidden>
    </span>
  ) : (
    version
  );

const Actions = ({ upload, onInstall, onDelete }: { upload: Upload } & UploadActions) => (
  <div className={styles['actions']}>
    <IconButton
      isAtEdge
      icon={PackagePlus}
      label={`Installer ${upload.filename} sur des sites`}
      onClick={() => onInstall(upload)}
    />
    <IconButton isAtEdge icon={Trash2} label={`Supprimer ${upload.filename}`} onClick={() => onDelete(upload)} />
  </div>
);

function Row({ upload, ...actions }: { upload: Upload } & UploadActions) {
  const line = useFocusHandOver<HTMLTableRowElement>();
  return (
    <tr ref={line}>
      <th scope="row" className={table['name']}>
        <UploadName upload={upload} />
      </th>
      <td>{typeLabels[upload.type]}</td>
      <td className={styles['version']}>
        <Version version={upload.version} />
      </td>
      <td className={styles['size']}>{spellSize(upload.size)}</td>
      <td>
        <TimeAgo at={upload.createdAt} />
      </td>
      <td>
        <Actions upload={upload} {...actions} />
      </td>
    </tr>
  );
}

const columns = [
  { label: 'Fichier' },
  { column: 'type', label: 'Type' },
  { column: 'version', label: 'Version' },
  { column: 'size', label: 'Taille' },
  { column: 'date', label: 'Date' },
  actionsColumn,
];

export function UploadsTable({ uploads, ...actions }: TableProps) {
  return (
    <Table className={styles['table']} columns={columns}>
      <tbody>
        {uploads.map((upload) => (
          <Row key={upload.id} upload={upload} {...actions} />
        ))}
      </tbody>
    </Table>
  );
}

function Card({ upload, ...actions }: { upload: Upload } & UploadActions) {
  const card = useFocusHandOver<HTMLLIElement>();
  return (
    <li ref={card} className={styles['card']}>
      <div className={styles['about']}>
        <UploadName upload={upload} />
        <p className={table['more']}>
          {typeLabels[upload.type]} · <Version version={upload.version} /> · {spellSize(upload.size)} ·{' '}
          <TimeAgo at={upload.createdAt} />
        </p>
      </div>
      <Actions upload={upload} {...actions} />
    </li>
  );
}

/** The list of archives on a narrow screen. */
export function UploadCards({ uploads, ...actions }: TableProps) {
  return (
    <ul className={styles['cards']}>
      {uploads.map((upload) => (
        <Card key={upload.id} upload={upload} {...actions} />
      ))}
    </ul>
  );
}
