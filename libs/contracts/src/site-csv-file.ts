import { readCsv } from './csv';
import { foldText } from './search-text';
import { maxCell, type SiteCsvLine } from './site-csv';

/** The columns that are read, with their headings in French and in English. */
const siteColumns = {
  name: ['nom', 'name'],
  url: ['url'],
  groups: ['groupes', 'groups'],
  server: ['serveur', 'server'],
  host: ['hôte', 'host'],
  port: ['port'],
  user: ['utilisateur', 'user'],
  path: ['chemin', 'path'],
} as const;
type SiteColumn = keyof typeof siteColumns;
const columnNames = Object.keys(siteColumns) as SiteColumn[];
export const siteHeads: readonly string[] = columnNames.map((column) => siteColumns[column][0]);

/** In bytes, or characters of a pasted text. */
export const maxFileSize = 2_000_000;
const maxFileLines = 2_000;
/** Headings of secrets, folded: they are refused. */
const secretHead = /mot de passe|\bmdp\b|password|passwd|passphrase|\bpass\b|secret|cle privee|private.?key|\bkey\b/;

type ReadFile = { lines: SiteCsvLine[]; ignored: string[] };

/** Reads the lines of a file, or says in French why it is refused. */
export function readSiteCsv(file: string): ReadFile | { refusal: string } {
  if (file.length > maxFileSize) return { refusal: tooLarge };
  const { rows, unclosedRow } = readCsv(file);
  if (unclosedRow !== undefined)
    return {
      refusal: `Ligne ${unclosedRow}\u00a0: un guillemet ouvert n’est jamais fermé. Fermez-le, puis recommencez.`,
    };
  const headAt = rows.findIndex(isFilled);
  const heads = rows[headAt] ?? [];
  const columns = columnsOf(heads);
  if (typeof columns === 'string') return { refusal: columns };
  const filled = rows.flatMap((row, at) => (at > headAt && isFilled(row) ? [{ row, line: at + 1 }] : []));
  if (filled.length === 0) return { refusal: 'Ce fichier n’a aucun site sous sa ligne de titres.' };
  if (filled.length > maxFileLines) return { refusal: tooManyLines(filled.length) };
  const lines = filled.map(({ row, line }) => lineOf(row, line, columns));
  const long = lines.find((line) => columnNames.some((column) => line[column].length > maxCell));
  if (long) return { refusal: `Ligne ${long.line}\u00a0: une case dépasse ${maxCell} caractères. Raccourcissez-la.` };
  const ignored = heads.filter((head, at) => head.trim() !== '' && ![...columns.values()].includes(at));
  return { lines, ignored };
}

export const tooLarge = 'Ce fichier dépasse 2\u00a0Mo. Coupez-le en plusieurs fichiers.';
const tooManyLines = (count: number) =>
  `Ce fichier a ${count} sites, et Vigie en importe ${maxFileLines} au plus à la fois. Coupez-le en plusieurs fichiers.`;

const isFilled = (row: readonly string[]) => row.some((text) => text.trim() !== '');

const lineOf = (row: readonly string[], line: number, columns: ReadonlyMap<SiteColumn, number>): SiteCsvLine => {
  const text = (column: SiteColumn) => row[columns.get(column) ?? -1]?.trim() ?? '';
  const [name, url, groups, server] = [text('name'), text('url'), text('groups'), text('server')];
  return {
    line,
    name,
    url,
    groups,
    server,
    host: text('host'),
    port: text('port'),
    user: text('user'),
    path: text('path'),
  };
};

/** The position of each column, or why the headings are refused. */
function columnsOf(heads: readonly string[]): ReadonlyMap<SiteColumn, number> | string {
  const folded = heads.map((head) => foldText(head.trim()));
  const secret = heads.find((_, at) => secretHead.test(folded[at] ?? ''));
  if (secret !== undefined)
    return `Vigie ne prend ni mot de passe ni clé dans un fichier. Retirez la colonne «\u00a0${secret.trim()}\u00a0»\u00a0: les sites prennent l’accès de leur serveur, ou une clé que Vigie crée.`;
  const columns = new Map<SiteColumn, number>();
  for (const column of columnNames) {
    const at = folded.findIndex((head) => siteColumns[column].some((name) => foldText(name) === head));
    if (at >= 0) columns.set(column, at);
  }
  const missing = (['name', 'url'] as const).filter((column) => !columns.has(column));
  if (missing.length === 0) return columns;
  const names = missing.map((column) => `«\u00a0${siteColumns[column][0]}\u00a0»`).join(' et ');
  return `La première ligne donne les titres des colonnes\u00a0: il y manque ${names}. Partez de l’exemple à télécharger.`;
}
