import { Stack, Text } from '@mantine/core';
import type { LocalBackup } from '@vigie/contracts/backups';
import { useState } from 'react';
import { formatNumber } from '../../ui/plural';
import { SearchField, useDebouncedSearch } from '../../kit/list/SearchField';
import { backupsApi, maxLocals } from './backups.api';
import { formatMegabytes } from './words';

/** The archives in Vigie that match the search: those of the site first, then the newest of other sites. */
export function useLocalBackups(siteId: string) {
  const [q, setQuery] = useState('');
  const query = { id: siteId, q: useDebouncedSearch(q), limit: maxLocals };
  const answer = backupsApi.useLocalBackupsQuery(query, { refetchOnMountOrArgChange: true });
  const { items = [], total = 0 } = answer.data ?? {};
  const nameOf = (backup: LocalBackup) =>
    [backup.filename, backup.site_id !== siteId && backup.site_name, formatMegabytes(backup.size)]
      .filter(Boolean)
      .join(' · ');
  return { answer, q, setQuery, items, total, nameOf };
}

export type LocalBackups = ReturnType<typeof useLocalBackups>;

/** Not rendered when the list already holds all archives. */
export function LocalSearch({ archives: { q, setQuery, items, total } }: { archives: LocalBackups }) {
  if (q === '' && items.length >= total) return null;
  return (
    <Stack gap={4} maw={640}>
      <SearchField label="Chercher un backup local" value={q} onChange={setQuery} />
      {items.length < total && (
        <Text fz={13}>
          {`Voici les ${items.length} premiers sur ${formatNumber(total)}\u00a0: cherchez les autres par leur nom ou celui de leur site.`}
        </Text>
      )}
    </Stack>
  );
}
