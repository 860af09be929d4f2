import { Text } from '@mantine/core';
import { RestoreMode } from '@vigie/contracts/restores';
import { useId } from 'react';
import { modeHint, modeNames, scopeNames } from '../../kit/words/restores';
import facts from '../../ui/About.module.css';
import { Lines } from '../../ui/Lines';
import { SelectField } from '../../ui/SelectField';
import styles from './backups.module.css';
import { describeScope } from './restore-words';
import { hasModes, type RestoreRequest, type RestoreOptions, wholeScopes } from './restore-request';
import { RadioLine } from '../../ui/RadioLine';

type Props = { request: RestoreRequest; options: RestoreOptions; onChange: (options: RestoreOptions) => void };

function Scopes({ request: { options: initial, entryKind }, options, onChange }: Props) {
  if (entryKind !== undefined) {
    return (
      <div>
        <Text component="h3" fw={500} pb={4}>
          Ce qui est restauré
        </Text>
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

function Modes({ options, onChange }: Pick<Props, 'options' | 'onChange'>) {
  const name = useId();
  return (
    <fieldset>
      <Text component="legend" fw={500} pb={4}>
        Façon de restaurer
      </Text>
      <Lines component="div" isFramed style={{ overflow: 'hidden' }} className={styles['modes'] ?? ''}>
        {RestoreMode.options.map((mode) => (
          <RadioLine
            key={mode}
            name={name}
            aria-label={modeNames[mode]}
            aria-describedby={`${name}${mode}`}
            p="8px 12px"
            checked={mode === options.mode}
            onChange={() => onChange({ ...options, mode })}
          >
            <strong>{modeNames[mode]}</strong>
            <Text span display="block" id={`${name}${mode}`} variant="note">
              {modeHint(mode, options.scope)}
            </Text>
          </RadioLine>
        ))}
      </Lines>
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
