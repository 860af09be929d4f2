import { Box, Group, Text } from '@mantine/core';
import type { SiteItem } from '@vigie/contracts/sites';
import { SearchX } from 'lucide-react';
import { useState } from 'react';
import { useSiteSearch } from '../../kit/fleet/sites';
import { ReadFailed } from '../../ui/ReadFailed';
import { EmptyState } from '../../ui/EmptyState';
import { Lines } from '../../ui/Lines';
import { Pager } from '../../kit/list/Pager';
import planLine from '../../ui/PlanLine.module.css';
import { plural } from '../../ui/plural';
import { SearchField, useDebouncedSearch } from '../../kit/list/SearchField';
import { Skeleton } from '../../ui/Skeleton';
import { RowCheckbox } from '../../kit/list/RowCheckbox';
import styles from './changes.module.css';
import { failureReason } from '../../kit/query/failures';

type Props = { value: ReadonlySet<string>; onChange: (ids: ReadonlySet<string>) => void };

const size = 20;

function toggleIds(value: ReadonlySet<string>, ids: readonly string[], isOn: boolean): ReadonlySet<string> {
  const next = new Set(value);
  for (const id of ids) {
    if (isOn) next.add(id);
    else next.delete(id);
  }
  return next;
}

const Sites = ({ sites, value, onChange }: Props & { sites: readonly SiteItem[] }) => (
  <Lines aria-label="Sites" isFramed>
    {sites.map(({ id, name, url }) => (
      <li key={id} className={styles['site']}>
        <RowCheckbox
          label={`Choisir ${name}`}
          isOn={value.has(id)}
          onChange={(isOn) => onChange(toggleIds(value, [id], isOn))}
        />
        <div className={planLine['what']}>
          <p className={styles['name']}>{name}</p>
          <Text variant="hint">{url}</Text>
        </div>
      </li>
    ))}
    {sites.length === 0 && (
      <li>
        <EmptyState icon={SearchX} title="Aucun site ne correspond." />
      </li>
    )}
  </Lines>
);

/** Chooses any number of sites. The choice survives searches and pages. */
export function SiteChoice({ value, onChange }: Props) {
  const [q, setQuery] = useState('');
  const [page, setPage] = useState(1);
  const { data, error, isFetching, refetch } = useSiteSearch(useDebouncedSearch(q), page, size);
  const ids = data?.items.map(({ id }) => id) ?? [];
  const chosen = ids.filter((id) => value.has(id)).length;
  if (!data)
    return error && !isFetching ? (
      <ReadFailed sentence={failureReason(error, 'Impossible de charger les sites.')} onRetry={refetch} />
    ) : (
      <Skeleton rows={4} />
    );
  return (
    <div>
      <Group gap="8px 16px">
        <RowCheckbox
          label="Sélectionner tous les sites affichés"
          isOn={ids.length > 0 && chosen === ids.length}
          isMixed={chosen > 0 && chosen < ids.length}
          onChange={(isOn) => onChange(toggleIds(value, ids, isOn))}
        />
        <Box flex="1 1 220px">
          <SearchField
            label="Rechercher un site"
            value={q}
            onChange={(text) => {
              setQuery(text);
              setPage(1);
            }}
          />
        </Box>
        <Text component="output" variant="hint">
          {plural(value.size, 'site choisi', 'sites choisis')}
        </Text>
      </Group>
      <Sites sites={data.items} value={value} onChange={onChange} />
      <Pager label="Pages des sites" page={page} size={size} total={data.total} onChange={setPage} />
    </div>
  );
}
