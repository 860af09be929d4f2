import { Button, Checkbox, Group, Text } from '@mantine/core';
import { CircleCheck, Server } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { sortControls } from '../../kit/list/search-params';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { Pager } from '../../kit/list/Pager';
import { SortChoice } from '../../kit/list/SortChoice';
import { Skeleton } from '../../ui/Skeleton';
import { TimeAgo } from '../../ui/TimeAgo';
import { Widget } from '../../ui/Widget';
import { usePages } from '../../kit/list/usePages';
import { useFocusHandOver } from '../../ui/focus';
import { useNarrow } from '../../ui/useNarrow';
import { columns, type HealthSearch } from './search';
import type { Health } from './server-health.api';
import { healthParams, pageSize, useServerHealth } from './useServerHealth';
import { columnLabels } from './words';

const NoTable = () => (
  <Failure sentence="Le tableau n’a pas pu être chargé. Vérifiez votre connexion, puis rechargez la page." />
);

/** The dashboard can be used before the code of its table is there. */
const HealthTable = lazy(() =>
  import('./HealthTable').then(
    (code) => ({ default: code.HealthTable }),
    () => ({ default: NoTable }),
  ),
);

type Props = { search: HealthSearch; onChange: (change: HealthSearch) => void };

function Tools({ search, updatedAt, onChange }: Props & { updatedAt: string | null }) {
  const isNarrow = useNarrow();
  return (
    <Group gap="8px 16px" w={{ base: '100%', sm: 'auto' }} style={{ '--sort': '200px' }}>
      {updatedAt !== null && (
        <Text fz={13} c="muted" flex={{ base: '1 0 100%', sm: 'none' }}>
          Mesuré <TimeAgo at={updatedAt} often />
        </Text>
      )}
      {isNarrow && <SortChoice {...sortControls(columns, columnLabels, search.sort, onChange)} />}
      <Checkbox
        label="En alerte seulement"
        checked={search.alert === true}
        onChange={(event) => onChange({ alert: event.currentTarget.checked || undefined, page: undefined })}
      />
    </Group>
  );
}

function ShowAll({ onChange }: Pick<Props, 'onChange'>) {
  const button = useFocusHandOver<HTMLButtonElement>('#server-health input');
  return (
    <Button ref={button} variant="default" onClick={() => onChange({ alert: undefined, page: undefined })}>
      Voir tous les serveurs
    </Button>
  );
}

function NoServers({ search, onChange }: Props) {
  if (search.alert) {
    return (
      <EmptyState icon={CircleCheck} title="Aucun serveur n’est en alerte." actions={<ShowAll onChange={onChange} />} />
    );
  }
  return (
    <EmptyState icon={Server} title="Aucun serveur pour l’instant.">
      <p>Ajoutez-en un{'\u00a0'}: sa charge, sa mémoire et ses disques s’afficheront ici, mesurés chaque minute.</p>
    </EmptyState>
  );
}

function HealthList({ data, goTo, ...rest }: Props & { data: Health; goTo: (page: number) => void }) {
  if (data.items.length === 0) return <NoServers {...rest} />;
  return (
    <>
      <Suspense fallback={<Skeleton rows={data.items.length} height={54} />}>
        <HealthTable items={data.items} {...rest} />
      </Suspense>
      <Pager page={rest.search.page ?? 1} size={pageSize} total={data.total} onChange={goTo} />
    </>
  );
}

export function ServersHealth({ search, onChange }: Props) {
  const { answer, sentence } = useServerHealth(healthParams(search));
  const { data, currentData } = answer;
  const goTo = usePages({ page: search.page, size: pageSize, total: currentData?.total }, (next) =>
    onChange({ page: next }),
  );
  return (
    <Widget
      id="server-health"
      title="Santé des serveurs"
      answer={answer}
      sentence={sentence}
      rows={6}
      tools={<Tools search={search} updatedAt={data?.updated_at ?? null} onChange={onChange} />}
    >
      {data && <HealthList data={data} goTo={goTo} search={search} onChange={onChange} />}
    </Widget>
  );
}
