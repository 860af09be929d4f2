import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Literals, tidy } from './literals';
import type { Written } from './written';

const Seen = z.strictObject({
  place: z.string(),
  role: z.string(),
  name: z.string(),
  target: z.string(),
  isUsed: z.boolean(),
});
type Seen = z.infer<typeof Seen>;

/** What the interface writes: its texts, and those of its controls. */
export type Sources = Literals & { written: readonly Written[] };

/** What stories need not use, and why. */
const exceptions: readonly { line: RegExp; reason: string }[] = [
  { line: / › outside /, reason: 'leads out of Vigie: no story leaves for a foreign page' },
  { line: /^«Sites de …» › button Importer$/, reason: 'disabled until something is chosen, and called otherwise then' },
  { line: /FoundSites\.tsx › Importer$/, reason: 'as above' },
  {
    line: /(?:ZoneHead\.tsx › de Vigie|ZonesTable\.tsx › Site lié)$/,
    reason: 'called so only until the name of its site is there',
  },
  {
    line: /MappingTab\.tsx › Chercher parmi tous les sites$/,
    reason: 'only beside more than 500 sites without a zone',
  },
  { line: /BatchLines\.tsx › Afficher plus \(…\)$/, reason: 'only where more than a hundred sites are chosen' },
  {
    line: /^«Mettre à jour …» › button Mettre à jour$/,
    reason: 'disabled until its plan is there, and called otherwise then',
  },
  {
    line: /^Utilisateurs › button …$/,
    reason: 'the card of an account on a phone, called by what it shows: a story opens one, and others pass by',
  },
  {
    line: /GoBackDialog\.tsx › Revenir en arrière$/,
    reason: 'only where what was put aside does not say its version',
  },
];

/** Parts of shared components: what is used in one place is used in all. */
const shared = /^(?:Fermer|Annuler|(?:Afficher|Masquer) le mot de passe)$/;

/** A line for each control that no story used: of all that are written once, and of all that were shown. */
export function unusedControls(folder: string, sources: Sources): string[] {
  const lineOf = lining(sources);
  const seen = readSeen(folder);
  const used = new Set(seen.filter(({ isUsed }) => isUsed).map(lineOf));
  const names = [...new Set(seen.filter(({ isUsed }) => isUsed).map(({ name }) => tidy(name)))];
  const unused = new Set(seen.map(lineOf).filter((line) => !used.has(line)));
  for (const { file, name, fits } of sources.written) if (!names.some(fits)) unused.add(`${file} › ${name}`);
  return [...unused].filter((line) => !exceptions.some((exception) => exception.line.test(line))).toSorted();
}

const readSeen = (folder: string): Seen[] =>
  readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => Seen.parse(JSON.parse(line))),
  );

/** What only one file writes is one control, wherever it is shown; others are told by where they are. */
function lining(sources: Sources): (seen: Seen) => string {
  const callOf = remembering((name) => withoutData(name, sources));
  const homeOf = remembering((name) => homeIn(sources.written, tidy(name)));
  return ({ place, role, name, target }) => {
    if (shared.test(tidy(name))) return `partout › ${tidy(name)}`;
    const home = homeOf(name);
    if (home !== '') return home;
    const label = target === '.' || hasId(target) ? `to ${pathOf(target)}` : name && callOf(name);
    return `${screenOf(place, callOf)} › ${role} ${label}`.trim();
  };
}

function remembering(tell: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    const said = known.get(name) ?? tell(name);
    known.set(name, said);
    return said;
  };
}

/** Where a control of this name is written, when that is one place. */
function homeIn(written: readonly Written[], name: string): string {
  const fitting = written.filter(({ fits }) => fits(name));
  const most = Math.max(...fitting.map(({ weight }) => weight));
  const [one, ...others] = fitting.filter(({ weight }) => weight === most);
  return one && others.every(({ file }) => file === one.file) ? `${one.file} › ${one.name}` : '';
}

/** Where there is no room beside the page, parts of the frame are over it. */
const sheets = /^dialog (?:Menu|Tâches|Consoles)$/;

/** A screen is called by its title; one of many of a kind, by its address. */
function screenOf(place: string, callOf: (name: string) => string): string {
  if (sheets.test(place)) return 'frame';
  if (place.startsWith('dialog ')) return `«${callOf(place.slice(7))}»`;
  const [, title = '', path = ''] = /^screen (.*)@(.*)$/s.exec(place) ?? [];
  return path === '' ? place : title === '' || hasId(path) ? pathOf(path) : callOf(title);
}

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

const id = /[0-9a-f]{8}-[0-9a-f-]{27}/;
const hasId = (path: string) => id.test(path);
const pathOf = (path: string) => path.replace(new RegExp(id, 'g'), '$id');
