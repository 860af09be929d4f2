import { Stack, Text } from '@mantine/core';
import type { Site } from '@vigie/contracts/sites';
import { FailedJob, JobMessages, RefusedRequest, RunningJob } from '../../kit/job/JobMessages';
import { coreItem, itemKey } from './change-requests';
import type { ItemStatus, SiteChanges } from './useSiteChanges';
import { joinError, outcomeLabel, stepText } from './words';

type Props = { name: string; status: ItemStatus; onDismiss: (jobId?: string) => void };

/** The running, refused or failed job of an item, under its row. */
export function ItemMessages({ name, status: { open, failed, refusal, isBusy }, onDismiss }: Props) {
  const outcome = failed && outcomeLabel(failed);
  return (
    <JobMessages>
      {isBusy && <RunningJob name={name} step={open ? stepText(open) : 'Demande en cours'} job={open} />}
      {!isBusy && refusal !== undefined && (
        <RefusedRequest name={name} message={refusal} onDismiss={() => onDismiss()} />
      )}
      {!isBusy && refusal === undefined && failed && outcome && (
        <FailedJob
          name={name}
          job={failed}
          tone={outcome.tone === 'danger' ? 'danger' : 'warn'}
          word={outcome.word}
          formatError={joinError}
          onDismiss={() => onDismiss(failed.id)}
        />
      )}
    </JobMessages>
  );
}

/** Jobs of items that the site does not list, because they are being installed or were removed. */
export function UnlistedItems({ site, changes }: { site: Site; changes: SiteChanges }) {
  const listedKeys = new Set([
    itemKey(coreItem),
    ...[...site.plugins, ...site.themes]
      .filter(({ kind: pluginKind }) => pluginKind === 'regular')
      .map(({ type: kind, slug }) => itemKey({ kind, slug })),
  ]);
  const keys = [...new Set([...changes.states.keys(), ...changes.pendingKeys, ...changes.refusals.keys()])];
  const lines = keys
    .filter((key) => !listedKeys.has(key))
    .map((key) => ({ key, status: changes.statusOf(key) }))
    .filter(({ status: { isBusy, failed, refusal } }) => isBusy || failed !== undefined || refusal !== undefined);
  if (lines.length === 0) return null;
  return (
    <Stack component="ul" aria-label="Installations" gap={8}>
      {lines.map(({ key, status }) => {
        const name = (status.open ?? status.failed)?.about ?? key.split(' ')[1] ?? key;
        return (
          <li key={key}>
            <Text fw={600}>{name}</Text>
            <ItemMessages name={name} status={status} onDismiss={(jobId) => changes.dismiss(key, jobId)} />
          </li>
        );
      })}
    </Stack>
  );
}
