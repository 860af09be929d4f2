import { Textarea } from '@mantine/core';
import { type CommandKind, commandSeconds, maxCommandLength, wpFault } from '@vigie/contracts/site-commands';
import { useState } from 'react';
import { DialogForm } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import { useCloseGuard } from '../../kit/dialog/LeaveGuard';
import { useBatch } from '../../kit/job/useBatch';
import { failureReason } from '../../kit/query/failures';
import { Segments } from '../../ui/Choices';
import planLine from '../../ui/PlanLine.module.css';
import { plural } from '../../ui/plural';
import { ReadFailed } from '../../ui/ReadFailed';
import { SelectField } from '../../ui/SelectField';
import { Skeleton } from '../../ui/Skeleton';
import { CommandPlan } from './CommandPlan';
import { keepRecent, readRecent, type WrittenCommand } from './recent-commands';
import { siteCommandsApi } from './site-commands.api';

const kinds = [
  { value: 'wp', label: 'WP-CLI' },
  { value: 'shell', label: 'Shell' },
] as const satisfies readonly { value: CommandKind; label: string }[];

const hints: Readonly<Record<CommandKind, string>> = {
  wp: 'Sans interpréteur\u00a0: $, * et\u202f; sont du texte. Le chemin du site est ajouté.',
  shell: 'Lue par /bin/sh, dans le dossier du site. Ce qu’elle laisse en arrière-plan est arrêté à la fin.',
};
const placeholders: Readonly<Record<CommandKind, string>> = { wp: 'plugin list', shell: 'du -sh wp-content' };

const limits = [
  { value: '30', label: '30\u00a0secondes' },
  { value: '60', label: '1\u00a0minute' },
  { value: String(commandSeconds.usual), label: '5\u00a0minutes' },
  { value: '900', label: '15\u00a0minutes' },
  { value: String(commandSeconds.max), label: '1\u00a0heure' },
];

const notes = [
  'Elle tourne une fois par site, avec les droits du compte SSH, ou du propriétaire du site si ce compte est root.',
  'La commande est gardée dans le journal\u00a0: n’y mettez pas de mot de passe.',
];

type FieldsProps = { written: WrittenCommand; fault: string | undefined; onChange: (next: WrittenCommand) => void };

function CommandFields({ written, fault, onChange }: FieldsProps) {
  const { kind, command } = written;
  return (
    <>
      <Segments
        label="Sorte de commande"
        choices={kinds}
        value={kind}
        onChange={(next) => onChange({ kind: next, command })}
      />
      <Textarea
        data-autofocus
        label="Commande"
        description={hints[kind]}
        placeholder={placeholders[kind]}
        rows={4}
        maxLength={maxCommandLength}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mono)' } }}
        error={fault}
        value={command}
        onChange={({ currentTarget: { value } }) => onChange({ kind, command: value })}
      />
      <RecentCommands onChoose={onChange} />
    </>
  );
}

function RecentCommands({ onChoose }: { onChoose: (chosen: WrittenCommand) => void }) {
  const [recent] = useState(readRecent);
  if (recent.length === 0) return null;
  const choices = recent.map((each, at) => ({ value: String(at), label: recentLabel(each) }));
  return (
    <SelectField
      label="Commandes récentes"
      data={[{ value: '', label: 'Choisir…' }, ...choices]}
      value=""
      onChange={({ currentTarget: { value } }) => {
        const chosen = value === '' ? undefined : recent[Number(value)];
        if (chosen) onChoose(chosen);
      }}
    />
  );
}

const recentLabel = ({ kind, command }: WrittenCommand): string => {
  const line = command.replaceAll(/\s+/g, ' ').slice(0, 60);
  return kind === 'wp' && !/^wp\b/.test(line) ? `wp ${line}` : line;
};

function usePlan(ids: readonly string[]) {
  const { currentData, error, isFetching, refetch } = siteCommandsApi.usePlanCommandQuery(
    { site_ids: [...ids] },
    { refetchOnMountOrArgChange: true },
  );
  const sentence = failureReason(error, 'Le plan n’a pas pu être établi.');
  return { lines: currentData?.items, failure: error && !isFetching ? sentence : undefined, refetch };
}

type Props = { ids: readonly string[]; onStarted?: (jobId: string) => void; onClose: () => void };

type UseCommandOptions = { onStarted: (jobId: string) => void; onRefused: () => void };

/** The command that is written, and what sends it to the sites where it may run. */
function useCommand(possible: string[], { onStarted, onRefused }: UseCommandOptions) {
  const [written, setWritten] = useState<WrittenCommand>({ kind: 'wp', command: '' });
  const [seconds, setSeconds] = useState(String(commandSeconds.usual));
  const [fault, setFault] = useState<string>();
  const [run, call] = siteCommandsApi.useRunCommandMutation();
  const send = async (order: Parameters<typeof run>[0]) => {
    const answer = await run(order);
    // The sites where it may run may have changed: the plan is read again, as the refusal says.
    if (answer.error) onRefused();
    return answer;
  };
  const { start } = useBatch([send, call], onStarted);
  const change = (next: WrittenCommand) => {
    setFault(undefined);
    setWritten(next);
  };
  const submit = () => {
    const found = written.kind === 'wp' ? wpFault(written.command) : undefined;
    setFault(found);
    if (found !== undefined) return;
    keepRecent(written);
    start({ site_ids: possible, ...written, timeout_seconds: Number(seconds), expected: possible });
  };
  const isDirty = written.command.trim() !== '';
  return { isDirty, fields: { written, fault, onChange: change }, seconds, setSeconds, submit, call };
}

const TimeLimit = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
  <SelectField
    label="Arrêter après"
    data={limits}
    value={value}
    onChange={({ currentTarget: { value: next } }) => onChange(next)}
  />
);

/** Writes a command for chosen sites, and says where it will run before it does. */
export function CommandDialog({ ids, onStarted, onClose }: Props) {
  const { lines, failure, refetch } = usePlan(ids);
  const possible = (lines ?? []).flatMap(({ site_id: id, refusal }) => (refusal === null ? id : []));
  const { isDirty, fields, seconds, setSeconds, submit, call } = useCommand(possible, {
    onStarted: (jobId) => {
      onClose();
      onStarted?.(jobId);
    },
    onRefused: () => void refetch(),
  });
  const lost = 'La commande que vous avez écrite sera perdue.';
  const { close, guard } = useCloseGuard({ isDirty, undone: 'exécuter', lost, onClose });
  return (
    <FormDialog title={`Commande sur ${plural(ids.length, 'site', 'sites')}`} isWide onClose={close}>
      <DialogForm
        action={`Exécuter sur ${plural(possible.length, 'site', 'sites')}`}
        isDisabled={possible.length === 0 || fields.written.command.trim() === ''}
        call={call}
        onSubmit={submit}
        onCancel={close}
      >
        <CommandFields {...fields} />
        <TimeLimit value={seconds} onChange={setSeconds} />
        <ul className={planLine['notes']}>
          {notes.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {lines && <CommandPlan lines={lines} />}
        {!lines && failure === undefined && <Skeleton rows={2} />}
        {failure !== undefined && <ReadFailed sentence={failure} onRetry={refetch} />}
      </DialogForm>
      {guard}
    </FormDialog>
  );
}
