import { Button } from '@mantine/core';
import { maxSites, type SiteBatchVerb } from '@vigie/contracts/site-batches';
import { Archive, ArrowUpCircle, Download, Ellipsis, FolderMinus, FolderPlus, PlugZap, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { reportFailure } from '../../kit/query/failures';
import { Dropdown } from '../../ui/Dropdown';
import { MenuItems } from '../../ui/MenuItems';
import { plural, formatNumber } from '../../ui/plural';
import { SelectField } from '../../ui/SelectField';
import { Failure } from '../../ui/Failure';
import { SelectionBar } from '../../kit/list/SelectionBar';
import { useNarrow } from '../../ui/useNarrow';
import type { Selection } from '../../kit/list/useSelection';
import { sitesApi } from './sites.api';
import type { SitesMenuActions } from './SitesMenus';
import type { SitesFilter } from './useSites';

type AllProps = { filter: SitesFilter; total: number; onChoose: (ids: readonly string[]) => void };

/** Selects all matching sites of all pages, up to the size of one batch. */
function ChooseAll({ filter, total, onChoose }: AllProps) {
  const [fetchIds] = sitesApi.useLazySiteIdsQuery();
  const [failure, setFailure] = useState<string>();
  const [isLoading, setLoading] = useState(false);
  const all = formatNumber(total);
  const range = total > maxSites ? `${formatNumber(maxSites)} premiers sur ${all}` : `${all} résultats`;
  const run = async () => {
    setLoading(true);
    setFailure(undefined);
    const { data, error } = await fetchIds({ ...filter, limit: maxSites, offset: 0 });
    setLoading(false);
    if (data) onChoose(data.ids);
    else setFailure(reportFailure(error, 'Les résultats n’ont pas pu être sélectionnés.'));
  };
  return (
    <>
      <Button variant="subtle" loading={isLoading} onClick={() => void run()}>
        {`Sélectionner les ${range}`}
      </Button>
      {failure !== undefined && <Failure sentence={failure} />}
    </>
  );
}

const verbs = [
  { verb: 'update', label: 'Mettre à jour…', icon: ArrowUpCircle },
  { verb: 'backup', label: 'Sauvegarder…', icon: Archive },
  { verb: 'test', label: 'Tester…', icon: PlugZap },
  { verb: 'join', label: 'Ajouter à un groupe…', icon: FolderPlus },
  { verb: 'leave', label: 'Retirer d’un groupe…', icon: FolderMinus },
  { verb: 'export', label: 'Exporter en CSV', icon: Download },
  { verb: 'delete', label: 'Supprimer…', icon: Trash2 },
] as const satisfies readonly { verb: SiteBatchVerb | 'update' | 'export'; label: string; icon: unknown }[];
type Verb = (typeof verbs)[number]['verb'];

/** All verbs as buttons would take two lines. */
const maxButtons = 3;

/** The most common verbs as buttons, and the others in a menu. */
const VerbButtons = ({ onChoose }: { onChoose: (verb: Verb) => void }) => (
  <>
    {verbs.slice(0, maxButtons).map(({ verb, label, icon: Icon }) => (
      <Button
        key={verb}
        variant={verb === 'update' ? 'filled' : 'default'}
        leftSection={<Icon size={16} aria-hidden />}
        onClick={() => onChoose(verb)}
      >
        {label}
      </Button>
    ))}
    <Dropdown label="Plus" icon={Ellipsis}>
      {(close) => (
        <MenuItems
          close={close}
          items={verbs.slice(maxButtons).map(({ verb, label, icon }) => ({
            label,
            icon,
            isDanger: verb === 'delete',
            run: () => onChoose(verb),
          }))}
        />
      )}
    </Dropdown>
  </>
);

/** The verbs as a select, on narrow screens where buttons would hide the list. */
const VerbSelect = ({ onChoose }: { onChoose: (verb: Verb) => void }) => (
  <SelectField
    aria-label="Agir sur la sélection"
    data={[{ value: '', label: 'Agir…' }, ...verbs.map(({ verb, label }) => ({ value: verb, label }))]}
    value=""
    onChange={({ currentTarget: { value } }) => {
      const chosen = verbs.find(({ verb }) => verb === value);
      if (chosen) onChoose(chosen.verb);
    }}
  />
);

export type BulkActions = {
  /** Opens the plan of the updates of these sites. */
  onUpdate: (ids: readonly string[]) => void;
  onBatch: (verb: SiteBatchVerb, ids: readonly string[]) => void;
};

type Props = BulkActions &
  Pick<SitesMenuActions, 'onExport'> & { selection: Selection; filter: SitesFilter; total: number };

/** The bulk actions on the selected sites. */
export function SelectedSites({ selection, filter, total, onUpdate, onBatch, onExport }: Props) {
  const { ids, chooseThese } = selection;
  const isNarrow = useNarrow(1280);
  const isFull = ids.length >= maxSites;
  const Controls = isNarrow ? VerbSelect : VerbButtons;
  const run = (verb: Verb) => {
    if (verb === 'update') onUpdate(ids);
    else if (verb === 'export') onExport(ids);
    else onBatch(verb, ids);
  };
  return (
    <SelectionBar
      selection={selection}
      count={`${plural(ids.length, 'site sélectionné', 'sites sélectionnés')}${isFull ? ', le maximum' : ''}`}
    >
      {ids.length < Math.min(total, maxSites) && <ChooseAll filter={filter} total={total} onChoose={chooseThese} />}
      <Controls onChoose={run} />
    </SelectionBar>
  );
}
