import type { Upload } from '@vigie/contracts/uploads';
import { Trash2 } from 'lucide-react';
import { Hidden } from '../../ui/Hidden';
import { IconButton } from '../../ui/IconButton';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { When } from '../../ui/When';
import styles from './UploadsTable.module.css';
import { spellRequires, spellSize, typeLabels, versionless } from './words';

export type TableProps = { uploads: readonly Upload[]; onDelete: (upload: Upload) => void };

function About({ upload: { filename, name, requires } }: { upload: Upload }) {
  const asked = spellRequires(requires);
  return (
    <>
      <span className={styles['file']}>{filename}</span>
      <p className={styles['more']}>{asked === undefined ? name : `${name} · ${asked}`}</p>
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

const Delete = ({ upload, onDelete }: { upload: Upload } & Pick<TableProps, 'onDelete'>) => (
  <IconButton isAtEdge icon={Trash2} label={`Supprimer ${upload.filename}`} onClick={() => onDelete(upload)} />
);

function Row({ upload, onDelete }: { upload: Upload } & Pick<TableProps, 'onDelete'>) {
  const line = useFocusHandOver<HTMLTableRowElement>();
  return (
    <tr ref={line}>
      <th scope="row">
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
        <Delete upload={upload} onDelete={onDelete} />
      </td>
    </tr>
  );
}

export function UploadsTable({ uploads, onDelete }: TableProps) {
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">Fichier</th>
          <th scope="col" data-column="type">
            Type
          </th>
          <th scope="col" data-column="version">
            Version
          </th>
          <th scope="col" data-column="size">
            Taille
          </th>
          <th scope="col" data-column="date">
            Date
          </th>
          <th scope="col" data-column="actions">
            <Hidden>Actions</Hidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {uploads.map((upload) => (
          <Row key={upload.id} upload={upload} onDelete={onDelete} />
        ))}
      </tbody>
    </table>
  );
}

function Card({ upload, onDelete }: { upload: Upload } & Pick<TableProps, 'onDelete'>) {
  const card = useFocusHandOver<HTMLLIElement>();
  return (
    <li ref={card} className={styles['card']}>
      <div className={styles['about']}>
        <About upload={upload} />
        <p className={styles['more']}>
          {typeLabels[upload.type]} · <Version version={upload.version} /> · {spellSize(upload.size)} ·{' '}
          <When at={upload.createdAt} />
        </p>
      </div>
      <Delete upload={upload} onDelete={onDelete} />
    </li>
  );
}

/** The same where a table does not fit. */
export function UploadCards({ uploads, onDelete }: TableProps) {
  return (
    <ul className={styles['cards']}>
      {uploads.map((upload) => (
        <Card key={upload.id} upload={upload} onDelete={onDelete} />
      ))}
    </ul>
  );
}
