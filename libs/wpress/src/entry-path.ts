import { hash } from 'node:crypto';
import type { Header } from './header';
import { quote, refuse } from './refusal';

const maxPathLength = 4_095;
const maxPartLength = 255;
/** Every folder of a path is stored, and one name could contain thousands. */
const maxParts = 128;
/** 64 MB of short names could contain thirty million folders. */
const maxFolders = 1_000_000;
const slash = '/';

/** Returns a header’s path as latin1, one character per byte, so that no byte hides a slash. */
export function pathOf({ name, folder }: Pick<Header, 'name' | 'folder'>): string {
  const [base, parent] = [name.toString('latin1'), folder.toString('latin1')];
  if (base.includes(slash)) throw dangerousPath(base);
  const path = parent === '.' || parent === '' ? base : `${parent}/${base}`;
  if (!isSafe(path)) throw dangerousPath(path);
  return path;
}

/** Splits a path into name and folder, as a header stores them. */
export function splitPath(path: string): { name: Buffer; folder: Buffer } {
  if (!isSafe(path)) throw dangerousPath(path);
  const at = path.lastIndexOf(slash);
  return {
    name: Buffer.from(path.slice(at + 1), 'latin1'),
    folder: Buffer.from(at < 0 ? '.' : path.slice(0, at), 'latin1'),
  };
}

export function decodePath(path: string): string {
  const bytes = Buffer.from(path, 'latin1');
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : path;
}

const dangerousPath = (path: string) =>
  refuse(
    'dangerous_path',
    `Cette archive contient un chemin dangereux\u00a0: ${quote(decodePath(path))}.`,
    'Vérifiez d’où elle vient, et n’utilisez pas ce fichier.',
  );

function isSafe(path: string): boolean {
  if (path.length > maxPathLength || hasControl(path) || /\\|^[a-z]:|^[a-z][a-z0-9+.-]*:\//i.test(path)) return false;
  const parts = path.split(slash);
  if (parts.length > maxParts) return false;
  return parts.every((part) => part !== '' && part !== '.' && part !== '..' && part.length <= maxPartLength);
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
    const comparable = this.isCaseless ? foldCase(path) : path;
    const key = digest(comparable);
    if (this.files.has(key)) throw collision(path, 'apparaît deux fois');
    if (this.folders.has(comparable)) throw collision(path, 'est à la fois un fichier et un dossier');
    this.files.add(key);
    for (let at = comparable.lastIndexOf(slash); at > 0; at = comparable.lastIndexOf(slash, at - 1)) {
      const folder = comparable.slice(0, at);
      if (this.folders.has(folder)) break;
      if (this.files.has(digest(folder))) throw collision(decodePath(folder), 'est à la fois un fichier et un dossier');
      this.folders.add(folder);
      if (this.folders.size > maxFolders) throw tooManyFolders();
    }
  }
}

/** A digest takes few bytes per file, and names cannot be crafted to collide. */
const digest = (path: string) => hash('sha1', Buffer.from(path, 'latin1'), 'binary');

const foldCase = (path: string) => Buffer.from(decodePath(path).normalize('NFC').toLowerCase()).toString('latin1');

const collision = (path: string, problem: string) =>
  refuse('collision', `Dans cette archive, ${quote(decodePath(path))} ${problem}.`);
