import { Stack, Text } from '@mantine/core';
import type { Site } from '@vigie/contracts/sites';
import { ItemMessages } from './ItemMessages';
import { coreItem, itemKey } from './change-requests';
import type { SiteChanges } from './useSiteChanges';

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
