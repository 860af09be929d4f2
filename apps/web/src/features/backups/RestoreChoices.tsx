import { RestoreMode } from '@vigie/contracts/restores';
import { useId } from 'react';
import facts from '../../ui/About.module.css';
import { SelectField } from '../../ui/SelectField';
import styles from './Restore.module.css';
import { modeNames, scopeNames, spellMode, spellPart } from './restore-words';
import { hasModes, type Restoring, type Wanted, wholes } from './restoring';

type Props = { restoring: Restoring; wanted: Wanted; onChange: (wanted: Wanted) => void };

function Scopes({ restoring: { wanted: first, only }, wanted, onChange }: Props) {
  if (only !== undefined) {
    return (
      <div>
        <h3 className={styles['heading']}>Ce qui est restauré</h3>
        <p className={facts['file']}>{spellPart(wanted, only)}</p>
      </div>
    );
  }
  const isPart = first.scope === 'path' || first.scope === 'table';
  const choices = [
    ...(isPart ? [{ value: first.scope as string, label: spellPart(first) }] : []),
    ...wholes.map((scope) => ({ value: scope as string, label: scopeNames[scope] })),
  ];
  const choose = (value: string) => {
    const scope = wholes.find((one) => one === value);
    onChange(scope ? { ...wanted, scope, path: '' } : { ...wanted, scope: first.scope, path: first.path });
  };
  return (
    <SelectField
      label="Ce qui est restauré"
      value={wanted.scope}
      onChange={(event) => choose(event.currentTarget.value)}
      data={choices}
    />
  );
}

function Modes({ wanted, onChange }: Omit<Props, 'restoring'>) {
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
            checked={mode === wanted.mode}
            onChange={() => onChange({ ...wanted, mode })}
          />
          <span>
            <strong>{modeNames[mode]}</strong>
            <span id={`${name}${mode}`} className={styles['hint']}>
              {spellMode(mode, wanted.scope)}
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
    {hasModes({ ...props.restoring, wanted: props.wanted }) && <Modes {...props} />}
  </>
);
