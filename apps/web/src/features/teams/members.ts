import { plural } from '../../ui/plural';

const list = new Intl.ListFormat('fr-FR');
const collator = new Intl.Collator('fr', { numeric: true, sensitivity: 'base' });

/** More members than this are counted. */
const maxNames = 8;

/** "Anne, Paul et Zoé". Only their number while their names are unknown. */
export function nameMembers(ids: readonly string[], names: ReadonlyMap<string, string>): string {
  if (ids.length === 0) return 'Aucun membre';
  const known = ids.flatMap((id) => names.get(id) ?? []).toSorted(collator.compare);
  if (known.length === 0) return plural(ids.length, 'membre', 'membres');
  const shown = known.slice(0, known.length > maxNames ? maxNames - 1 : maxNames);
  const others = ids.length - shown.length;
  return list.format([...shown, ...(others > 0 ? [plural(others, 'autre', 'autres')] : [])]);
}
