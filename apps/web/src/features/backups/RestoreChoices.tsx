import { RestoreMode } from '@vigie/contracts/restores';
import { useId } from 'react';
import facts from '../../ui/About.module.css';
import { SelectField } from '../../ui/SelectField';
import styles from './Restore.module.css';
import { modeNames, scopeNames, modeHint, describeScope } from './restore-words';
import { hasModes, type RestoreRequest, type RestoreOptions, wholeScopes } from './restore-request';

type Props = { request: RestoreRequest; options: RestoreOptions; onChange: (options: RestoreOptions) => void };

function Scopes({ request: { options: initial, entryKind }, options, onChange }: Props) {
  if (entryKind !== undefined) {
    return (
      <div>
        <h3 className={styles['heading']}>Ce qui est restauré</h3>
        <p className={facts['file']}>{describeScope(options, entryKind)}</p>
      </div>
    );
  }
  const isPart = initial.scope === 'path' || initial.scope === 'table';
  const choices = [
    ...(isPart ? [{ value: initial.scope as string, label: describeScope(initial) }] : []),
    ...wholeScopes.map((scope) => ({ value: scope as string, label: scopeNames[scope] })),
  ];
  const choose = (value: string) => {
    const scope = wholeScopes.find((candidate) => candidate === value);
    onChange(scope ? { ...options, scope, path: '' } : { ...options, scope: initial.scope, path: initial.path });
  };
  return (
    <SelectField
      label="Ce qui est restauré"
      value={options.scope}
      onChange={(event) => choose(event.currentTarget.value)}
      data={choices}
    />
  );
}

function Modes({ options, onChange }: Omit<Props, 'restoring'>) {
  const name = useId();
  return (
    <fieldset className={styles['modes']}>
      <legend className={styles['heading']}>Façon de restaurer</legend>
      {RestoreMode.options.map((mode) => (
        <label key={mode} className={styles['mode']}>
          <input
            type="radio"
            name={name}
            aria-label={modeNames[mode]}
            aria-describedby={`${name}${mode}`}
            checked={mode === options.mode}
            onChange={() => onChange({ ...options, mode })}
          />
          <span>
            <strong>{modeNames[mode]}</strong>
            <span id={`${name}${mode}`} className={styles['hint']}>
              {modeHint(mode, options.scope)}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Chooses the part of the archive to restore, and whether to merge or replace. */
export const RestoreChoices = (props: Props) => (
  <>
    <Scopes {...props} />
    {hasModes({ ...props.request, options: props.options }) && <Modes {...props} />}
  </>
);
