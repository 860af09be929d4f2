import { Button } from '@mantine/core';
import { applyUpdates } from '@vigie/contracts/changes';
import { changeOwnerOfSites } from '@vigie/contracts/owner-changes';
import { backupSites, deleteSites, groupSites, maxSites, type SiteBatchVerb } from '@vigie/contracts/site-batches';
import { runCommand } from '@vigie/contracts/site-commands';
import { exportChosenSites } from '@vigie/contracts/site-csv';
import { type SiteItem, testSites } from '@vigie/contracts/sites';
import {
  Archive,
  ArrowUpCircle,
  Download,
  Ellipsis,
  FolderMinus,
  FolderPlus,
  PlugZap,
  SquareChevronRight,
  Trash2,
  UserRoundPen,
} from 'lucide-react';
import { useState } from 'react';
import { allows } from '../../kit/fleet/roles';
import { useIsAdmin } from '../../kit/fleet/users';
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
  { verb: 'update', label: 'Mettre à jour…', icon: ArrowUpCircle, call: applyUpdates },
  { verb: 'backup', label: 'Sauvegarder…', icon: Archive, call: backupSites },
  { verb: 'test', label: 'Tester…', icon: PlugZap, call: testSites },
  { verb: 'join', label: 'Ajouter à un groupe…', icon: FolderPlus, call: groupSites },
  { verb: 'leave', label: 'Retirer d’un groupe…', icon: FolderMinus, call: groupSites },
  { verb: 'export', label: 'Exporter en CSV', icon: Download, call: exportChosenSites },
  { verb: 'command', label: 'Commande…', icon: SquareChevronRight, call: runCommand },
  { verb: 'owner', label: 'Confier à…', icon: UserRoundPen, call: changeOwnerOfSites },
  { verb: 'delete', label: 'Supprimer…', icon: Trash2, call: deleteSites },
] as const satisfies readonly {
  verb: SiteBatchVerb | 'update' | 'export' | 'command' | 'owner';
  [more: string]: unknown;
}[];
type Offer = (typeof verbs)[number];
type Verb = Offer['verb'];

/** All verbs as buttons would take two lines. */
const maxButtons = 3;

type VerbsProps = { offers: readonly Offer[]; onChoose: (verb: Verb) => void };

/** The most common verbs as buttons, and the others in a menu. */
const VerbButtons = ({ offers, onChoose }: VerbsProps) => (
  <>
    {offers.slice(0, maxButtons).map(({ verb, label, icon: Icon }) => (
      <Button
        key={verb}
        variant={verb === 'update' ? 'filled' : 'default'}
        leftSection={<Icon size={16} aria-hidden />}
        onClick={() => onChoose(verb)}
      >
        {label}
      </Button>
    ))}
    {offers.length > maxButtons && (
      <Dropdown label="Plus" icon={Ellipsis}>
        {(close) => (
          <MenuItems
            close={close}
            items={offers.slice(maxButtons).map(({ verb, label, icon }) => ({
              label,
              icon,
              isDanger: verb === 'delete',
              run: () => onChoose(verb),
            }))}
          />
        )}
      </Dropdown>
    )}
  </>
);

/** The verbs as a select, on narrow screens where buttons would hide the list. */
const VerbSelect = ({ offers, onChoose }: VerbsProps) => (
  <SelectField
    aria-label="Agir sur la sélection"
    data={[{ value: '', label: 'Agir…' }, ...offers.map(({ verb, label }) => ({ value: verb, label }))]}
    value=""
    onChange={({ currentTarget: { value } }) => {
      const chosen = offers.find(({ verb }) => verb === value);
      if (chosen) onChoose(chosen.verb);
    }}
  />
);

export type BulkActions = {
  /** Opens the plan of the updates of these sites. */
  onUpdate: (ids: readonly string[]) => void;
  onBatch: (verb: SiteBatchVerb, ids: readonly string[]) => void;
  /** Opens the form of a command. */
  onCommand: (ids: readonly string[]) => void;
  /** Opens the choice of another owner. */
  onGive: (ids: readonly string[]) => void;
};

type Props = BulkActions &
  Pick<SitesMenuActions, 'onExport'> & {
    selection: Selection;
    /** The loaded sites of the page. */
    sites: readonly SiteItem[];
    filter: SitesFilter;
    total: number;
  };

/** What every selected site allows. A site of another page is taken to allow what all sites of this page do. */
function useOffers(ids: readonly string[], sites: readonly SiteItem[]): readonly Offer[] {
  const mayGive = useIsAdmin();
  const selected = sites.filter(({ id }) => ids.includes(id));
  const known = selected.length < ids.length ? sites : selected;
  return verbs.filter(({ verb, call }) => known.every((site) => allows(site, call)) && (verb !== 'owner' || mayGive));
}

/** The bulk actions on the selected sites. */
export function SelectedSites({ selection, sites, filter, total, onUpdate, onBatch, ...more }: Props) {
  const { ids, chooseThese } = selection;
  const isNarrow = useNarrow(1280);
  const isFull = ids.length >= maxSites;
  const Controls = isNarrow ? VerbSelect : VerbButtons;
  const run = (verb: Verb) => {
    if (verb === 'update') onUpdate(ids);
    else if (verb === 'export') more.onExport(ids);
    else if (verb === 'command') more.onCommand(ids);
    else if (verb === 'owner') more.onGive(ids);
    else onBatch(verb, ids);
  };
  return (
    <SelectionBar
      selection={selection}
      count={`${plural(ids.length, 'site sélectionné', 'sites sélectionnés')}${isFull ? ', le maximum' : ''}`}
    >
      {ids.length < Math.min(total, maxSites) && <ChooseAll filter={filter} total={total} onChoose={chooseThese} />}
      <Controls offers={useOffers(ids, sites)} onChoose={run} />
    </SelectionBar>
  );
}
