import { Checkbox } from '@mantine/core';
import type { Upload } from '@vigie/contracts/uploads';
import { useId } from 'react';
import { formatNumber } from '../../ui/plural';
import { SearchField } from '../../kit/list/SearchField';
import { TimeAgo } from '../../ui/TimeAgo';
import styles from './Plan.module.css';
import { kindNames } from './words';

type Props = {
  /** The newest of `total` matches. */
  uploads: readonly Upload[];
  total: number;
  q: string;
  onSearch: (q: string) => void;
  value: string | undefined;
  error: string | undefined;
  onChange: (upload: Upload) => void;
};

/** Longer lists get a search field. */
const searchFrom = 8;

type ChoiceProps = { upload: Upload; isChosen: boolean; onChoose: () => void };

const Choice = ({ upload: { filename, type: kind, name, version, createdAt }, isChosen, onChoose }: ChoiceProps) => (
  <label className={styles['choice']}>
    <input type="radio" name="upload" aria-label={filename} checked={isChosen} onChange={onChoose} />
    <span>
      <span className={styles['file']}>{filename}</span>
      <p className={styles['more']}>
        {`${kindNames[kind]} · ${name} · version ${version ?? 'inconnue'} · `}
        <TimeAgo at={createdAt} />
      </p>
    </span>
  </label>
);

export function UploadChoice({ uploads, total, q, onSearch, value, error, onChange }: Props) {
  const errorId = useId();
  return (
    <fieldset
      role="radiogroup"
      aria-invalid={error !== undefined || undefined}
      aria-describedby={error === undefined ? undefined : errorId}
      className={styles['choices']}
    >
      <legend>Archive à installer</legend>
      {(total > searchFrom || q !== '') && (
        <SearchField label="Rechercher une archive" className={styles['search']} value={q} onChange={onSearch} />
      )}
      <div className={styles['list']}>
        {uploads.map((upload) => (
          <Choice key={upload.id} upload={upload} isChosen={upload.id === value} onChoose={() => onChange(upload)} />
        ))}
        {uploads.length < total && (
          <p className={styles['choice']}>
            {`Voici les ${uploads.length} plus récentes de ${formatNumber(total)}\u00a0: cherchez les autres par leur nom.`}
          </p>
        )}
        {total === 0 && <p className={styles['choice']}>Aucune archive ne correspond.</p>}
      </div>
      {error !== undefined && (
        <p id={errorId} role="alert" className={styles['error']}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

export const ActivateField = ({ value, onChange }: { value: boolean; onChange: (isOn: boolean) => void }) => (
  <Checkbox
    label="Activer après l’installation"
    checked={value}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
);
