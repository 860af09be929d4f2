import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Literals, normaliseSpaces } from './literals';
import type { Control } from './control-sources';

/** A control that a story used, with its screen and dialog; without a name it is a dialog that axe checked. */
const Use = z.strictObject({ place: z.string(), name: z.string().optional() });
type Use = z.infer<typeof Use>;

/** The texts of the interface, and those of its controls. */
export type Sources = Literals & { controls: readonly Control[] };

/** Controls that stories need not use, with the reason. */
const exceptions: readonly { line: RegExp; reason: string }[] = [
  {
    line: /(?:ZoneHead\.tsx › de Vigie|ZonesTable\.tsx › Site lié)$/,
    reason: 'has this name only until the name of its site is loaded',
  },
  {
    line: /(?:BatchLines|CsvLines)\.tsx › Afficher plus \(…\) › /,
    reason: 'only when more than a hundred sites are chosen',
  },
  { line: /ChooseServer\.tsx.* › Rechercher un serveur › /, reason: 'only with more servers than a story has' },
  {
    line: /JobMessages\.tsx.* › Annuler : … › \/tasks$/,
    reason: 'on the screen of a site, tasks end too soon for a click',
  },
  { line: /ServerSites\.tsx › Voir les … › /, reason: 'only with more sites on a server than a story has' },
  { line: /(?:ImportCsv|DiscoveredSites)\.tsx › Importer › /, reason: 'disabled as long as no site is chosen' },
  {
    line: /RollbackDialog\.tsx › Revenir en arrière$/,
    reason: 'only when the rollback copy has no version',
  },
];

/** Lists the controls of the sources that no story used. A control of several features must be used on as many screens. */
export function unusedControls(folder: string, sources: Sources): string[] {
  const screensOf = readScreens(folder, sources);
  const filesOf = new Map<string, Set<string>>();
  for (const { name, file } of sources.controls) filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file));
  return [...filesOf]
    .filter(([name, files]) => (screensOf.get(name)?.size ?? 0) < new Set([...files].map(dirname)).size)
    .map(([name, files]) => [[...files].join(', '), name, ...(screensOf.get(name) ?? [])].join(' › '))
    .filter((line) => !exceptions.some((exception) => exception.line.test(line)))
    .toSorted();
}

/** Lists the dialogs and menus in which a story used a control, and which axe never checked. */
export function uncheckedDialogs(folder: string, literals: Literals): string[] {
  const uses = readUses(folder);
  const findDialogs = (isCheck: boolean) =>
    new Set(
      uses.filter(({ name }) => (name === undefined) === isCheck).flatMap(({ place }) => dialogOf(place, literals)),
    );
  const checkedDialogs = findDialogs(true);
  return [...findDialogs(false)].filter((dialog) => !checkedDialogs.has(dialog)).toSorted();
}

/** Names a dialog by its title, and by its part of the interface too when the title has data, as others may have it. */
function dialogOf(place: string, literals: Literals): string[] {
  const [path = '', title] = place.split(' dialog ');
  if (title === undefined) return [];
  const name = withoutData(title, literals);
  return [name.includes('…') ? `/${path.split('/')[1]} «${name}»` : `«${name}»`];
}

/** Finds the screens where each control was used; a name that fits several controls counts for the closest one. */
function readScreens(folder: string, sources: Sources): Map<string, Set<string>> {
  const screensOf = new Map<string, Set<string>>();
  for (const { place, name = '' } of readUses(folder)) {
    const fitting = sources.controls.filter(({ fits }) => fits(normaliseSpaces(name)));
    const max = Math.max(...fitting.map(({ weight }) => weight));
    for (const control of fitting.filter(({ weight }) => weight === max))
      screensOf.set(control.name, (screensOf.get(control.name) ?? new Set()).add(screenOf(place, sources)));
  }
  return screensOf;
}

const readUses = (folder: string): Use[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n').slice(0, -1))
    .map((line) => Use.parse(JSON.parse(line)));

/** Names a screen by its address, and a dialog by its title too, both without data. */
function screenOf(place: string, sources: Sources): string {
  const [screen = '', title] = place.replace(id, '$id').split(' dialog ');
  return title === undefined ? screen : `${screen} «${withoutData(title, sources)}»`;
}

const id = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** Replaces the data in a name by the placeholders of the source text that it was made from. */
export function withoutData(name: string, { texts, templates }: Literals): string {
  const text = normaliseSpaces(name);
  if (texts.has(text)) return text;
  const template = templates.find(({ fits }) => fits(text));
  if (template) return template.text;
  const words = text.split(' ');
  for (let count = words.length - 1; count > 0; count--) {
    const start = words.slice(0, count).join(' ');
    if (start.length > 3 && texts.has(start)) return `${start} …`;
  }
  return '…';
}
