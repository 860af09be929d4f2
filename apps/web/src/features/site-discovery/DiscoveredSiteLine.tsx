import { Group, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import table from '../../kit/list/list.module.css';
import { RowCheckbox } from '../../kit/list/RowCheckbox';
import { IconButton } from '../../ui/IconButton';
import planLine from '../../ui/PlanLine.module.css';
import { Status } from '../../ui/Status';
import { type ImportChoice, errorsOf } from './choices';
import styles from './site-discovery.module.css';

type Props = {
  choice: ImportChoice;
  /** Set after the first attempt to import: shows what is missing. */
  showsErrors: boolean;
  onChange: (changes: Partial<ImportChoice>) => void;
};

/** A discovered site: its title, address, version, folder and user, and the fields that change what is imported. */
export function DiscoveredSiteLine({ choice, showsErrors, onChange }: Props) {
  const { site, isChosen } = choice;
  const { path, site_id: siteId } = site;
  const [isEditing, setEditing] = useState(false);
  const errors = showsErrors ? errorsOf(choice) : {};
  const hasErrors = errors.name !== undefined || errors.url !== undefined;
  // The fields stay once the error is mended, since the person is still typing.
  if (hasErrors && !isEditing) setEditing(true);
  // An address that could not be read must be typed.
  const showsFields = isChosen && (isEditing || site.url === null);
  const isNew = siteId === null;
  return (
    <li data-path={path} className={styles['line']}>
      <Group gap={4} wrap="nowrap" align="flex-start">
        {isNew ? (
          <RowCheckbox label={`Importer ${path}`} isOn={isChosen} onChange={(isOn) => onChange({ isChosen: isOn })} />
        ) : (
          <span className={planLine['gap']} />
        )}
        <What choice={choice} />
        {isNew ? (
          <IconButton
            icon={Pencil}
            label={`Modifier l’import de ${path}`}
            aria-expanded={showsFields}
            disabled={!isChosen}
            onClick={() => setEditing(!isEditing)}
          />
        ) : (
          <Link to="/sites/$siteId" params={{ siteId }} search={{}}>
            <Status tone="neutral">Déjà dans Vigie</Status>
          </Link>
        )}
      </Group>
      {isNew && showsFields && <Fields choice={choice} errors={errors} onChange={onChange} />}
    </li>
  );
}

/** What was found, under the name and address that it would be imported with. */
function What({ choice: { site, ...typed } }: Pick<Props, 'choice'>) {
  const { path, title, version, owner, is_multisite: isMultisite, site_id: siteId } = site;
  const { name, url } = siteId === null ? typed : { name: title, url: site.url };
  const details = [`WordPress ${version ?? '—'}`, `utilisateur ${owner ?? '—'}`, ...(isMultisite ? ['multisite'] : [])];
  return (
    <div className={planLine['what']}>
      <p>
        <strong>{name || '—'}</strong>{' '}
        <Text span variant="note">
          {url || '—'}
        </Text>
      </p>
      <p className={table['more']}>{details.join(' · ')}</p>
      <p className={table['more']}>
        <code>{path}</code>
      </p>
    </div>
  );
}

type FieldsProps = Pick<Props, 'choice' | 'onChange'> & { errors: Partial<ReturnType<typeof errorsOf>> };

function Fields({ choice: { site, name, url }, errors, onChange }: FieldsProps) {
  const { path } = site;
  return (
    <div className={styles['fields']}>
      <TextInput
        name="name"
        label="Nom"
        aria-label={`Nom de ${path}`}
        maxLength={100}
        autoComplete="off"
        value={name}
        error={errors.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextInput
        name="url"
        label="URL"
        aria-label={`URL de ${path}`}
        placeholder="https://exemple.fr"
        inputMode="url"
        maxLength={2_048}
        autoComplete="off"
        spellCheck={false}
        value={url}
        error={errors.url}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
    </div>
  );
}
