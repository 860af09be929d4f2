import { Button, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { IncidentItem } from '@vigie/contracts/incidents';
import { CircleCheck, History, X } from 'lucide-react';
import { useServer } from '../../kit/fleet/servers';
import { useSite } from '../../kit/fleet/sites';
import { ListCount, ListScreen } from '../../kit/list/ListScreen';
import { changeSearch } from '../../kit/list/search-params';
import { Segments } from '../../ui/Choices';
import { EmptyState } from '../../ui/EmptyState';
import { Lines } from '../../ui/Lines';
import { Page } from '../../ui/Page';
import { plural } from '../../ui/plural';
import { useNow } from '../../ui/useNow';
import { IncidentLine } from './IncidentLine';
import type { IncidentsSearch } from './search';
import { pageSize, useIncidents } from './useIncidents';

const filters = [
  { value: 'open', label: 'En cours' },
  { value: 'resolved', label: 'Terminés' },
  { value: 'all', label: 'Tous' },
] as const;
type Filter = (typeof filters)[number]['value'];

type Change = (change: Partial<IncidentsSearch>) => void;
type ToolsProps = { search: IncidentsSearch; onChange: Change };

const ClearButton = ({ label, onClear }: { label: string; onClear: () => void }) => (
  <Button variant="default" rightSection={<X size={14} aria-hidden />} onClick={onClear}>
    {label}
  </Button>
);

/** Shows that a link filtered the list, and clears that filter. */
function SubjectFilters({ search: { site: siteId, server: serverId }, onChange }: ToolsProps) {
  const { data: site } = useSite(siteId);
  const { data: server } = useServer(serverId);
  return (
    <>
      {siteId !== undefined && (
        <ClearButton
          label={`Site\u00a0: ${site?.name ?? '…'}`}
          onClear={() => onChange({ site: undefined, page: undefined })}
        />
      )}
      {serverId !== undefined && (
        <ClearButton
          label={`Serveur\u00a0: ${server?.name ?? '…'}`}
          onClear={() => onChange({ server: undefined, page: undefined })}
        />
      )}
    </>
  );
}

const Tools = ({ search, onChange }: ToolsProps) => (
  <Group gap={8}>
    <Segments<Filter>
      label="Incidents affichés"
      choices={filters}
      value={search.state ?? 'open'}
      onChange={(value) => onChange({ state: value === 'open' ? undefined : value, page: undefined })}
    />
    <SubjectFilters search={search} onChange={onChange} />
  </Group>
);

/** Nothing is wrong, or nothing ever was. */
function NoIncidents({ search: { state }, onChange }: ToolsProps) {
  if (state !== undefined)
    return (
      <EmptyState icon={History} title={state === 'all' ? 'Aucun incident.' : 'Aucun incident terminé.'}>
        <p>Vigie garde ici chaque panne, avec son début, sa fin et ce qui a été fait.</p>
      </EmptyState>
    );
  return (
    <EmptyState
      icon={CircleCheck}
      title="Rien à signaler."
      actions={
        <Button variant="default" onClick={() => onChange({ state: 'resolved', page: undefined })}>
          Voir les incidents terminés
        </Button>
      }
    >
      <p>Vigie visite vos sites sans relâche. Une panne, un certificat ou un domaine qui expire s’affiche ici.</p>
    </EmptyState>
  );
}

const refreshMs = 30_000;

function Rows({ items }: { items: readonly IncidentItem[] }) {
  const now = useNow(refreshMs);
  return (
    <Lines aria-label="Incidents">
      {items.map((incident) => (
        <IncidentLine key={incident.id} incident={incident} now={now} />
      ))}
    </Lines>
  );
}

const isAboutOne = ({ site, server }: IncidentsSearch) => site !== undefined || server !== undefined;

/** What fails now, and what has failed. */
export function IncidentsPage({ search }: { search: IncidentsSearch }) {
  const navigate = useNavigate();
  const answer = useIncidents(search);
  const { currentData, fulfilledTimeStamp } = answer;
  const onChange: Change = (change) => void navigate({ to: '/incidents', ...changeSearch<IncidentsSearch>(change) });
  return (
    <Page title="Incidents" lead="Ce qui ne va pas en ce moment, et ce qui s’est passé." maxWidth={960}>
      <ListScreen
        answer={answer}
        tools={
          <>
            <Tools search={search} onChange={onChange} />
            <ListCount at={fulfilledTimeStamp}>
              {currentData && plural(currentData.total, 'incident', 'incidents')}
            </ListCount>
          </>
        }
        page={search.page}
        pageSize={pageSize}
        onPage={(page) => onChange({ page })}
        noMatch={
          isAboutOne(search) && {
            title: search.state === undefined ? 'Rien à signaler ici.' : 'Aucun incident ne correspond.',
            onClear: () => onChange({ site: undefined, server: undefined, page: undefined }),
          }
        }
        empty={<NoIncidents search={search} onChange={onChange} />}
      >
        {({ items }) => <Rows items={items} />}
      </ListScreen>
    </Page>
  );
}
