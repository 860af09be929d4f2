import { findPackage, headerBytes, type PackageHeader, readHeader } from '@vigie/contracts/package-header';
import type { PackageKind } from '@vigie/contracts/uploads';
import { quote, refuseArchive } from '@vigie/contracts/zip-directory';
import type { ObjectReader } from '@vigie/files/object-reader';
import { listArchive, walkArchive } from './archive';

export type Inspected = PackageHeader & { slug: string; unpacked: number };

const slugForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,190}$/;

/** Reads the whole archive and returns the plugin or theme that it installs, or refuses it. */
export async function inspect(reader: ObjectReader, kind: PackageKind): Promise<Inspected> {
  const listing = await listArchive(reader);
  const candidates = findPackage(listing.entries.filter(({ isFolder }) => !isFolder).map(({ name }) => name));
  const heads = await walkArchive(reader, listing, new Set([...candidates.scripts, ...candidates.styles]), headerBytes);
  const headerOf = (name: string, headerKind: PackageKind) =>
    readHeader(headerKind, heads.get(name)?.toString('utf8') ?? '');
  const plugin = firstOf(candidates.scripts, (name) => headerOf(name, 'plugin'));
  const theme = firstOf(candidates.styles, (name) => headerOf(name, 'theme'));
  const chosen = kind === 'plugin' ? plugin : theme;
  if (!chosen) throw missingPackage(kind, kind === 'plugin' ? theme !== undefined : plugin !== undefined, candidates);
  return { ...chosen.header, slug: slugOf(kind, chosen.name, candidates.folder), unpacked: listing.unpacked };
}

function firstOf(names: readonly string[], read: (name: string) => PackageHeader | undefined) {
  for (const name of names) {
    const header = read(name);
    if (header) return { name, header };
  }
  return undefined;
}

function slugOf(kind: PackageKind, main: string, folder: string | undefined): string {
  if (folder === undefined && kind === 'theme') {
    const reason = 'Les fichiers du thème ne sont pas dans un dossier.';
    throw refuseArchive(
      reason,
      'Placez-les dans un dossier qui porte son nom, compressez ce dossier, puis recommencez.',
    );
  }
  const slug = folder ?? main.replace(/\.php$/, '');
  if (slugForm.test(slug)) return slug;
  const remedy = 'Renommez-le avec des lettres sans accent, des chiffres, points et tirets, puis recommencez.';
  throw refuseArchive(`Le nom du dossier ${quote(slug)} ne convient pas à WordPress.`, remedy);
}

const labels: Readonly<Record<PackageKind, string>> = { plugin: 'plugin', theme: 'thème' };

function missingPackage(kind: PackageKind, isOtherKind: boolean, { nested, tops }: ReturnType<typeof findPackage>) {
  const label = labels[kind];
  if (isOtherKind) {
    const other = labels[kind === 'plugin' ? 'theme' : 'plugin'];
    return refuseArchive(
      `Cette archive est celle d’un ${other}.`,
      `Choisissez le type ${capital(other)}, puis recommencez.`,
    );
  }
  if (nested !== undefined) {
    const remedy = `Décompressez celle-ci, puis téléversez l’archive du ${label} qu’elle contient.`;
    return refuseArchive(`Cette archive en contient une autre, ${quote(nested)}.`, remedy);
  }
  if (tops.length > 1) {
    const remedy = `Compressez le seul dossier du ${label}, puis recommencez.`;
    return refuseArchive(`Cette archive contient plusieurs dossiers, et aucun ${label} à sa racine.`, remedy);
  }
  const file =
    kind === 'plugin'
      ? 'un fichier .php avec l’en-tête «\u00a0Plugin Name\u00a0»'
      : 'le style.css et son en-tête «\u00a0Theme Name\u00a0»';
  return refuseArchive(
    `Aucun ${label} n’a été trouvé dans cette archive.`,
    `Vérifiez que son dossier contient ${file}.`,
  );
}

const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
