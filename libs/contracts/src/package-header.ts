import type { PackageKind } from './uploads';

/** The header at the top of a plugin's or theme's main file. */
export type PackageHeader = {
  name: string;
  version: string | null;
  requires: { wp: string | null; php: string | null };
};

/** WordPress searches this many bytes of the file for the header. */
export const headerBytes = 8_192;
const maxCandidates = 50;
const maxNameLength = 200;
const maxVersionLength = 60;

const nameFields: Readonly<Record<PackageKind, string>> = { plugin: 'Plugin Name', theme: 'Theme Name' };
/** Files that macOS adds to archives. */
const isMacFile = (name: string) => /^__MACOSX(?:\/|$)|(?:^|\/)(?:\.DS_Store|\._[^/]*)$/.test(name);

/** Finds the top folders of an archive and the candidates for its main file. */
export function findPackage(files: readonly string[]) {
  const names = files.filter((name) => !isMacFile(name));
  const tops = [...new Set(names.map((name) => name.split('/')[0] ?? ''))];
  const [folder = ''] = tops;
  const isInFolder = tops.length === 1 && names.every((name) => name.includes('/'));
  const base = isInFolder ? `${folder}/` : '';
  const topFiles = names.filter((name) => name.startsWith(base) && !name.slice(base.length).includes('/')).toSorted();
  const scripts = topFiles.filter((name) => name.endsWith('.php'));
  const main = `${base}${folder}.php`;
  return {
    folder: isInFolder ? folder : undefined,
    tops,
    styles: topFiles.filter((name) => name === `${base}style.css`),
    // The script named like the folder comes first, because several may have a header.
    scripts: [...scripts.filter((name) => name === main), ...scripts.filter((name) => name !== main)].slice(
      0,
      maxCandidates,
    ),
    nested: topFiles.find((name) => /\.zip$/i.test(name)),
  };
}

/** Reads a header as WordPress does; undefined when the file is not the main file of such a package. */
export function readHeader(kind: PackageKind, text: string): PackageHeader | undefined {
  const name = fieldOf(text, nameFields[kind]);
  if (name === null) return undefined;
  return {
    name: name.slice(0, maxNameLength),
    version: versionOf(text, 'Version'),
    requires: { wp: versionOf(text, 'Requires at least'), php: versionOf(text, 'Requires PHP') },
  };
}

function versionOf(text: string, field: string): string | null {
  const version = fieldOf(text, field);
  return version === null || version.length > maxVersionLength ? null : version;
}

function fieldOf(text: string, field: string): string | null {
  const line = new RegExp(`^(?:[ \\t]*<\\?php)?[ \\t/*#@]*${field}:(.*)$`, 'im').exec(text.replaceAll('\r', '\n'));
  const [rawValue = ''] = (line?.[1] ?? '').split(/\*\/|\?>/, 1);
  const value = rawValue.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu, '').trim();
  return value === '' ? null : value;
}
