import { hash } from 'node:crypto';
import type { Header } from './header';
import { quote, refuse } from './refusal';

const longestPath = 4_095;
const longestPart = 255;
/** Every folder of a path is stored, and one name could contain thousands. */
const maxParts = 128;
/** 64 MB of short names could contain thirty million folders. */
const maxFolders = 1_000_000;
const slash = '/';

/** Returns a header’s path as latin1, one character per byte, so that no byte hides a slash. */
export function pathOf({ name, folder }: Pick<Header, 'name' | 'folder'>): string {
  const [base, above] = [name.toString('latin1'), folder.toString('latin1')];
  if (base.includes(slash)) throw dangerous(base);
  const path = above === '.' || above === '' ? base : `${above}/${base}`;
  if (!isSafe(path)) throw dangerous(path);
  return path;
}

/** Splits a path into name and folder, as a header stores them. */
export function partsOf(path: string): { name: Buffer; folder: Buffer } {
  if (!isSafe(path)) throw dangerous(path);
  const at = path.lastIndexOf(slash);
  return {
    name: Buffer.from(path.slice(at + 1), 'latin1'),
    folder: Buffer.from(at < 0 ? '.' : path.slice(0, at), 'latin1'),
  };
}

/** Decodes UTF-8, and shows other bytes one by one. */
export function readable(path: string): string {
  const bytes = Buffer.from(path, 'latin1');
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : path;
}

const dangerous = (path: string) =>
  refuse(
    'dangerous_path',
    `Cette archive contient un chemin dangereux\u00a0: ${quote(readable(path))}.`,
    'Vérifiez d’où elle vient, et n’utilisez pas ce fichier.',
  );

function isSafe(path: string): boolean {
  if (path.length > longestPath || hasControl(path) || /\\|^[a-z]:|^[a-z][a-z0-9+.-]*:\//i.test(path)) return false;
  const parts = path.split(slash);
  if (parts.length > maxParts) return false;
  return parts.every((part) => part !== '' && part !== '.' && part !== '..' && part.length <= longestPart);
}

function hasControl(path: string): boolean {
  for (let at = 0; at < path.length; at += 1) {
    const code = path.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

const tooManyFolders = () =>
  refuse('too_many', 'Cette archive contient plus d’un million de dossiers.', 'Vérifiez d’où elle vient.');

/** Refuses two paths that would be one place on disk: each is a file or a folder, once. */
export class PathClaims {
  private readonly files = new Set<string>();
  private readonly folders = new Set<string>();

  /** `isCaseless` is for a file system that does not distinguish A from a. */
  constructor(private readonly isCaseless = false) {}

  add(path: string): void {
    const place = this.isCaseless ? caseless(path) : path;
    const key = digest(place);
    if (this.files.has(key)) throw collides(path, 'apparaît deux fois');
    if (this.folders.has(place)) throw collides(path, 'est à la fois un fichier et un dossier');
    this.files.add(key);
    for (let at = place.lastIndexOf(slash); at > 0; at = place.lastIndexOf(slash, at - 1)) {
      const folder = place.slice(0, at);
      if (this.folders.has(folder)) break;
      if (this.files.has(digest(folder))) throw collides(readable(folder), 'est à la fois un fichier et un dossier');
      this.folders.add(folder);
      if (this.folders.size > maxFolders) throw tooManyFolders();
    }
  }
}

/** A digest takes few bytes per file, and names cannot be crafted to collide. */
const digest = (place: string) => hash('sha1', Buffer.from(place, 'latin1'), 'binary');

const caseless = (path: string) => Buffer.from(readable(path).normalize('NFC').toLowerCase()).toString('latin1');

const collides = (path: string, how: string) =>
  refuse('collision', `Dans cette archive, ${quote(readable(path))} ${how}.`);
