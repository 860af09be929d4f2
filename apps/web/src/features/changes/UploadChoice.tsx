import type { Upload } from '@vigie/contracts/uploads';
import { plain } from '@vigie/contracts/plain';
import { useId, useState } from 'react';
import { SearchField } from '../../ui/SearchField';
import { When } from '../../ui/When';
import styles from './Plan.module.css';
import { kindNames } from './words';

type Props = {
  uploads: readonly Upload[];
  value: string | undefined;
  error: string | undefined;
  onChange: (id: string) => void;
};

/** From here on a list is searched rather than read. */
const many = 8;
/** One archive of several, with what is known of each. */
export function UploadChoice({ uploads, value, error, onChange }: Props) {
  const [q, setQuery] = useState('');
  const why = useId();
  const text = plain(q.trim());
  const shown = uploads.filter(({ filename, name, slug }) => plain([filename, name, slug].join(' ')).includes(text));
  return (
    <fieldset
      role="radiogroup"
      aria-invalid={error !== undefined || undefined}
      aria-describedby={error === undefined ? undefined : why}
      className={styles['choices']}
    >
      <legend>Archive à installer</legend>
      {uploads.length > many && (
        <SearchField label="Rechercher une archive" className={styles['search']} value={q} onChange={setQuery} />
      )}
      <div className={styles['list']}>
        {shown.map(({ id, filename, type, name, version, createdAt }) => (
          <label key={id} className={styles['choice']}>
            <input
              type="radio"
              name="upload"
              aria-label={filename}
              checked={id === value}
              onChange={() => onChange(id)}
            />
            <span>
              <span className={styles['file']}>{filename}</span>
              <p className={styles['more']}>
                {`${kindNames[type]} · ${name} · version ${version ?? 'inconnue'} · `}
                <When at={createdAt} />
              </p>
            </span>
          </label>
        ))}
        {shown.length === 0 && <p className={styles['choice']}>Aucune archive ne correspond.</p>}
      </div>
      {error !== undefined && (
        <p id={why} role="alert" className={styles['error']}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

export const ActivateField = ({ value, onChange }: { value: boolean; onChange: (isOn: boolean) => void }) => (
  <label className={styles['check']}>
    <input type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
    Activer après l’installation
  </label>
);
