import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { Link } from '@tanstack/react-router';
import table from '../../kit/list/list.module.css';
import planLine from '../../ui/PlanLine.module.css';
import { Status } from '../../ui/Status';
import { RowCheckbox } from '../../kit/list/RowCheckbox';
import { type ImportChoice, errorsOf } from './choices';
import styles from './site-discovery.module.css';

type Props = {
  choice: ImportChoice;
  /** Set after the first attempt to import: shows what is missing. */
  showsErrors: boolean;
  onChange: (changes: Partial<ImportChoice>) => void;
};

export function DiscoveredSiteLine({ choice, showsErrors, onChange }: Props) {
  const { site, isChosen } = choice;
  const { path, version, owner, is_multisite: isMultisite, site_id: siteId } = site;
  const errors = showsErrors ? errorsOf(choice) : {};
  const details = [
    version === null ? 'version inconnue' : `WordPress ${version}`,
    owner !== null && `propriétaire ${owner}`,
    isMultisite && 'multisite',
  ].filter(Boolean);
  return (
    <li data-path={path} className={styles['line']} data-known={siteId !== null || undefined}>
      <div className={styles['head']}>
        {siteId === null ? (
          <RowCheckbox label={`Importer ${path}`} isOn={isChosen} onChange={(isOn) => onChange({ isChosen: isOn })} />
        ) : (
          <span className={planLine['gap']} />
        )}
        <div className={planLine['what']}>
          <code>{path}</code>
          <p className={table['more']}>{details.join(' · ')}</p>
        </div>
        {siteId !== null && (
          <Link to="/sites/$siteId" params={{ siteId }} search={{}}>
            <Status tone="neutral">Déjà dans Vigie</Status>
          </Link>
        )}
      </div>
      {siteId === null && <Fields choice={choice} errors={errors} onChange={onChange} />}
    </li>
  );
}

type FieldsProps = Pick<Props, 'choice' | 'onChange'> & { errors: Partial<ReturnType<typeof errorsOf>> };

function Fields({ choice: { site, isChosen, name, url }, errors, onChange }: FieldsProps) {
  const { path } = site;
  return (
    <div className={styles['fields']}>
      <TextInput
        name="name"
        aria-label={`Nom de ${path}`}
        placeholder="Nom"
        maxLength={100}
        autoComplete="off"
        disabled={!isChosen}
        value={name}
        error={errors.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextInput
        name="url"
        aria-label={`URL de ${path}`}
        placeholder="https://exemple.fr"
        inputMode="url"
        maxLength={2_048}
        autoComplete="off"
        spellCheck={false}
        disabled={!isChosen}
        value={url}
        error={errors.url}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
    </div>
  );
}
