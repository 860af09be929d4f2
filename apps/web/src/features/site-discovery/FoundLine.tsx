import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { Link } from '@tanstack/react-router';
import planLine from '../../ui/PlanLine.module.css';
import { Status } from '../../ui/Status';
import { Tick } from '../../ui/Tick';
import { type Choice, faultsOf } from './choices';
import styles from './DiscoveryDialog.module.css';

type Props = {
  choice: Choice;
  /** Somebody wanted to import: what is missing is said. */
  isChecked: boolean;
  onChange: (changes: Partial<Choice>) => void;
};

/** One site that was found: where it lies and what it is, above what it will be called. */
export function FoundLine({ choice, isChecked, onChange }: Props) {
  const { found, isChosen, name, url } = choice;
  const { path, version, owner, is_multisite: isMultisite, site_id: known } = found;
  const faults = isChecked ? faultsOf(choice) : {};
  const facts = [
    version === null ? 'version inconnue' : `WordPress ${version}`,
    owner !== null && `propriétaire ${owner}`,
    isMultisite && 'multisite',
  ].filter(Boolean);
  return (
    <li data-path={path} className={styles['line']} data-known={known !== null || undefined}>
      <div className={styles['lineHead']}>
        {known === null ? (
          <Tick label={`Importer ${path}`} isOn={isChosen} onChange={(isOn) => onChange({ isChosen: isOn })} />
        ) : (
          <span className={planLine['gap']} />
        )}
        <div className={styles['where']}>
          <code>{path}</code>
          <p>{facts.join(' · ')}</p>
        </div>
        {known !== null && (
          <Link to="/sites/$siteId" params={{ siteId: known }} search={{}} className={styles['known'] ?? ''}>
            <Status tone="neutral">Déjà dans Vigie</Status>
          </Link>
        )}
      </div>
      {known === null && (
        <div className={styles['fields']}>
          <TextInput
            name="name"
            aria-label={`Nom de ${path}`}
            placeholder="Nom"
            maxLength={100}
            autoComplete="off"
            disabled={!isChosen}
            value={name}
            error={faults.name}
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
            error={faults.url}
            onChange={(event) => onChange({ url: event.currentTarget.value })}
          />
        </div>
      )}
    </li>
  );
}
