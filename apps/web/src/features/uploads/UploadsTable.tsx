import type { Upload } from '@vigie/contracts/uploads';
import { PackagePlus, Trash2 } from 'lucide-react';
import { Hidden } from '../../ui/Hidden';
import { IconButton } from '../../ui/IconButton';
import { actionsColumn, Table } from '../../ui/Table';
import table from '../../ui/Table.module.css';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { When } from '../../ui/When';
import styles from './UploadsTable.module.css';
import { spellRequires, spellSize, typeLabels, versionless } from './words';

type Deeds = { onInstall: (upload: Upload) => void; onDelete: (upload: Upload) => void };
type TableProps = Deeds & { uploads: readonly Upload[] };

function About({ upload: { filename, name, requires } }: { upload: Upload }) {
  const asked = spellRequires(requires);
  return (
    <>
      <span className={styles['file']}>{filename}</span>
      <p className={table['more']}>{asked === undefined ? name : `${name} · ${asked}`}</p>
    </>
  );
}

const Version = ({ version }: Pick<Upload, 'version'>) =>
  version === null ? (
    <span title={versionless}>
      —<Hidden>{versionless}</Hidden>
    </span>
  ) : (
    version
  );

const Actions = ({ upload, onInstall, onDelete }: { upload: Upload } & Deeds) => (
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

function Row({ upload, ...deeds }: { upload: Upload } & Deeds) {
  const line = useFocusHandOver<HTMLTableRowElement>();
  return (
    <tr ref={line}>
      <th scope="row" className={table['name']}>
        <About upload={upload} />
      </th>
      <td>{typeLabels[upload.type]}</td>
      <td className={styles['version']}>
        <Version version={upload.version} />
      </td>
      <td className={styles['size']}>{spellSize(upload.size)}</td>
      <td>
        <When at={upload.createdAt} />
      </td>
      <td>
        <Actions upload={upload} {...deeds} />
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

export function UploadsTable({ uploads, ...deeds }: TableProps) {
  return (
    <Table className={styles['table']} columns={columns}>
      <tbody>
        {uploads.map((upload) => (
          <Row key={upload.id} upload={upload} {...deeds} />
        ))}
      </tbody>
    </Table>
  );
}

function Card({ upload, ...deeds }: { upload: Upload } & Deeds) {
  const card = useFocusHandOver<HTMLLIElement>();
  return (
    <li ref={card} className={styles['card']}>
      <div className={styles['about']}>
        <About upload={upload} />
        <p className={table['more']}>
          {typeLabels[upload.type]} · <Version version={upload.version} /> · {spellSize(upload.size)} ·{' '}
          <When at={upload.createdAt} />
        </p>
      </div>
      <Actions upload={upload} {...deeds} />
    </li>
  );
}

/** The same where a table does not fit. */
export function UploadCards({ uploads, ...deeds }: TableProps) {
  return (
    <ul className={styles['cards']}>
      {uploads.map((upload) => (
        <Card key={upload.id} upload={upload} {...deeds} />
      ))}
    </ul>
  );
}
