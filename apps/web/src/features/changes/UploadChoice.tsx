import { Checkbox, Text } from '@mantine/core';
import type { Upload } from '@vigie/contracts/uploads';
import { useId } from 'react';
import { Lines } from '../../ui/Lines';
import { formatNumber } from '../../ui/plural';
import { SearchField } from '../../kit/list/SearchField';
import { RadioLine } from '../../ui/RadioLine';
import { TimeAgo } from '../../ui/TimeAgo';
import styles from './changes.module.css';
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
  <RadioLine name="upload" aria-label={filename} p="10px 12px" checked={isChosen} onChange={onChoose}>
    <span className={styles['name']}>{filename}</span>
    <Text variant="hint">
      {`${kindNames[kind]} · ${name} · version ${version ?? 'inconnue'} · `}
      <TimeAgo at={createdAt} />
    </Text>
  </RadioLine>
);

export function UploadChoice({ uploads, total, q, onSearch, value, error, onChange }: Props) {
  const errorId = useId();
  return (
    <fieldset
      role="radiogroup"
      aria-invalid={error !== undefined || undefined}
      aria-describedby={error === undefined ? undefined : errorId}
    >
      <Text component="legend" fw={500} pb={6}>
        Archive à installer
      </Text>
      {(total > searchFrom || q !== '') && <SearchField label="Rechercher une archive" value={q} onChange={onSearch} />}
      <Lines component="div" mah={320} isFramed style={{ overflow: 'auto' }}>
        {uploads.map((upload) => (
          <Choice key={upload.id} upload={upload} isChosen={upload.id === value} onChoose={() => onChange(upload)} />
        ))}
        {uploads.length < total && (
          <Text p="10px 12px">
            {`Voici les ${uploads.length} plus récentes de ${formatNumber(total)}\u00a0: cherchez les autres par leur nom.`}
          </Text>
        )}
        {total === 0 && <Text p="10px 12px">Aucune archive ne correspond.</Text>}
      </Lines>
      {error !== undefined && (
        <Text id={errorId} role="alert" mt={6} c="danger" fz={13}>
          {error}
        </Text>
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
