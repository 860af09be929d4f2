import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Literals, tidy } from './literals';
import type { Written } from './written';

const Use = z.strictObject({ place: z.string(), name: z.string() });
type Use = z.infer<typeof Use>;

/** What the interface writes: its texts, and those of its controls. */
export type Sources = Literals & { written: readonly Written[] };

/** What stories need not use, and why. */
const exceptions: readonly { line: RegExp; reason: string }[] = [
  {
    line: /(?:ZoneHead\.tsx › de Vigie|ZonesTable\.tsx › Site lié)$/,
    reason: 'called so only until the name of its site is there',
  },
  { line: /GroupsField\.tsx.* › Rechercher un groupe › /, reason: 'only beside more groups than a story has' },
  { line: /BatchLines\.tsx › Afficher plus \(…\) › /, reason: 'only where more than a hundred sites are chosen' },
  {
    line: /JobNews\.tsx.* › Annuler : … › frame$/,
    reason: 'on the screen of a site what runs is over too soon for a click',
  },
  { line: /JobDetail\.tsx › Voir le serveur › /, reason: 'called so only where the server has no name any more' },
  {
    line: /GoBackDialog\.tsx › Revenir en arrière$/,
    reason: 'only where what was put aside does not say its version',
  },
];

/** A line for each control that the sources write and no story used; what several features write is used in as many places. */
export function unusedControls(folder: string, sources: Sources): string[] {
  const placesOf = readPlaces(folder, sources);
  const filesOf = new Map<string, Set<string>>();
  for (const { name, file } of sources.written) filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file));
  return [...filesOf]
    .filter(([name, files]) => (placesOf.get(name)?.size ?? 0) < new Set([...files].map(dirname)).size)
    .map(([name, files]) => [[...files].join(', '), name, ...(placesOf.get(name) ?? [])].join(' › '))
    .filter((line) => !exceptions.some((exception) => exception.line.test(line)))
    .toSorted();
}

/** Where each of the written names was used: what fits several is the one that has most in common with it. */
function readPlaces(folder: string, sources: Sources): Map<string, Set<string>> {
  const placesOf = new Map<string, Set<string>>();
  for (const { place, name } of readUses(folder)) {
    const fitting = sources.written.filter(({ fits }) => fits(tidy(name)));
    const max = Math.max(...fitting.map(({ weight }) => weight));
    for (const one of fitting.filter(({ weight }) => weight === max))
      placesOf.set(one.name, (placesOf.get(one.name) ?? new Set()).add(screenOf(place, sources)));
  }
  return placesOf;
}

const readUses = (folder: string): Use[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n').slice(0, -1))
    .map((line) => Use.parse(JSON.parse(line)));

/** A screen is called by its address, a dialog by its title too: without what is data in them. */
function screenOf(place: string, sources: Sources): string {
  const [screen = '', title] = place.replace(id, '$id').split(' dialog ');
  return title === undefined ? screen : `${screen} «${withoutData(title, sources)}»`;
}

const id = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** Data are what the sources do not write: the name becomes the text of theirs that it is made from. */
export function withoutData(name: string, { whole, holed }: Literals): string {
  const text = tidy(name);
  if (whole.has(text)) return text;
  const made = holed.find(({ fits }) => fits(text));
  if (made) return made.text;
  const words = text.split(' ');
  for (let count = words.length - 1; count > 0; count--) {
    const start = words.slice(0, count).join(' ');
    if (start.length > 3 && whole.has(start)) return `${start} …`;
  }
  return '…';
}
