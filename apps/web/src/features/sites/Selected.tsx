import { Button } from '@mantine/core';
import { maxSites, type SiteBatchVerb } from '@vigie/contracts/site-batches';
import { Archive, ArrowUpCircle, FolderMinus, FolderPlus, PlugZap, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { tellFailure } from '../../app/tellFailure';
import { plural, spellNumber } from '../../ui/plural';
import { SelectField } from '../../ui/SelectField';
import { Failure } from '../../ui/Failure';
import { SelectionBar } from '../../ui/SelectionBar';
import { useNarrow } from '../../ui/useNarrow';
import type { Selection } from '../../ui/useSelection';
import { sitesApi } from './sites.api';
import type { Which } from './useSites';

type AllProps = { which: Which; total: number; onChoose: (ids: readonly string[]) => void };

/** All that match, shown or not; no more than one batch holds. */
function ChooseAll({ which, total, onChoose }: AllProps) {
  const [list] = sitesApi.useLazySiteIdsQuery();
  const [failure, setFailure] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const all = spellNumber(total);
  const named = total > maxSites ? `${spellNumber(maxSites)} premiers sur ${all}` : `${all} résultats`;
  const run = async () => {
    setAsking(true);
    setFailure(undefined);
    const { data, error } = await list({ ...which, limit: maxSites, offset: 0 });
    setAsking(false);
    if (data) onChoose(data.ids);
    else setFailure(tellFailure(error, 'Les résultats n’ont pas pu être sélectionnés.'));
  };
  return (
    <>
      <Button variant="subtle" loading={isAsking} onClick={() => void run()}>
        {`Sélectionner les ${named}`}
      </Button>
      {failure !== undefined && <Failure sentence={failure} />}
    </>
  );
}

const verbs = [
  { verb: 'update', label: 'Mettre à jour…', icon: ArrowUpCircle },
  { verb: 'test', label: 'Tester…', icon: PlugZap },
  { verb: 'backup', label: 'Sauvegarder…', icon: Archive },
  { verb: 'join', label: 'Ajouter à un groupe…', icon: FolderPlus },
  { verb: 'leave', label: 'Retirer d’un groupe…', icon: FolderMinus },
  { verb: 'delete', label: 'Supprimer…', icon: Trash2 },
] as const satisfies readonly { verb: SiteBatchVerb | 'update'; label: string; icon: unknown }[];
type Verb = (typeof verbs)[number]['verb'];

/** Each in sight, the usual one first. */
const Buttons = ({ onAct }: { onAct: (verb: Verb) => void }) =>
  verbs.map(({ verb, label, icon: Icon }) => (
    <Button
      key={verb}
      variant={verb === 'update' ? 'filled' : 'default'}
      {...(verb === 'delete' && { color: 'danger' })}
      leftSection={<Icon size={16} aria-hidden />}
      onClick={() => onAct(verb)}
    >
      {label}
    </Button>
  ));

/** Where they would hide the list. */
const Choice = ({ onAct }: { onAct: (verb: Verb) => void }) => (
  <SelectField
    aria-label="Agir sur la sélection"
    data={[{ value: '', label: 'Agir…' }, ...verbs.map(({ verb, label }) => ({ value: verb, label }))]}
    value=""
    onChange={({ currentTarget: { value } }) => {
      const chosen = verbs.find(({ verb }) => verb === value);
      if (chosen) onAct(chosen.verb);
    }}
  />
);

export type Acts = {
  /** Somebody wants what waits for these. */
  onUpdate: (ids: readonly string[]) => void;
  onBatch: (verb: SiteBatchVerb, ids: readonly string[]) => void;
};

type Props = Acts & { selection: Selection; which: Which; total: number };

/** What can be done with the chosen sites. */
export function Selected({ selection, which, total, onUpdate, onBatch }: Props) {
  const { ids, chooseAll, chooseThese } = selection;
  const isNarrow = useNarrow(1280);
  if (ids.length === 0) return null;
  const isFull = ids.length >= maxSites;
  const Verbs = isNarrow ? Choice : Buttons;
  return (
    <SelectionBar
      count={`${plural(ids.length, 'site sélectionné', 'sites sélectionnés')}${isFull ? ', le plus à la fois' : ''}`}
      onClear={() => chooseAll(false)}
    >
      {ids.length < Math.min(total, maxSites) && <ChooseAll which={which} total={total} onChoose={chooseThese} />}
      <Verbs onAct={(verb) => (verb === 'update' ? onUpdate(ids) : onBatch(verb, ids))} />
    </SelectionBar>
  );
}
