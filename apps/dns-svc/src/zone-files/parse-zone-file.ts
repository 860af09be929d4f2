import { automaticTtl, isRecordType, type RecordType, defaultTtl } from '@vigie/contracts/dns-content';
import { maxCommentLength, type RecordContent, RecordForm } from '@vigie/contracts/dns-records';
import { asciiName } from '@vigie/contracts/domain-name';
import { cleanLine } from '@vigie/contracts/text';
import { recordKey } from '../records/canonical';
import { recordFromForm } from '../records/record-forms';
import { type Entry, readEntries, readTtl, type Word } from './zone-file-lines';

export type ZoneFile = {
  records: RecordContent[];
  /** Skipped lines, each with the name it concerns; undefined when that is unclear. */
  problems: { line: number; text: string; message: string; name: string | undefined }[];
};

type State = {
  origin: string;
  /** Longer comments are cut, because a remark is no reason to refuse its record. */
  maxComment: number;
  ttl: number | undefined;
  /** TTL of the last entry that had one, used when there is no `$TTL`. */
  lastTtl: number | undefined;
  owner: string | undefined;
};

class SkippedLine extends Error {}

const [minTtl, maxTtl] = [60, 86_400];

/** Tells whether a skipped line may concern a name, in which case the file’s records of that name are incomplete. */
export function mayMention({ records, problems }: ZoneFile): (name: string) => boolean {
  const skippedNames = new Set(problems.map(({ name }) => name));
  const namedRecords = new Set(records.map(({ name }) => name));
  return (name) => skippedNames.has(name) || (skippedNames.has(undefined) && !namedRecords.has(name));
}

/** Parses the records of a zone file. The SOA belongs to the provider. */
export function parseZoneFile(content: string, zoneName: string, maxComment: number = maxCommentLength): ZoneFile {
  const state: State = { origin: zoneName, maxComment, ttl: undefined, lastTtl: undefined, owner: undefined };
  const records = new Map<string, RecordContent>();
  const problems: ZoneFile['problems'] = [];
  for (const entry of readEntries(content)) {
    try {
      const record = readEntry(state, entry, zoneName);
      if (record) records.set(recordKey(record), record);
    } catch (error) {
      if (!(error instanceof SkippedLine)) throw error;
      const name = nameIn(state, entry, zoneName);
      problems.push({ line: entry.line, text: entry.text.slice(0, 200), message: error.message, name });
    }
  }
  return { records: [...records.values()], problems };
}

const isDirective = ({ words: [first] }: Entry) => first?.text.startsWith('$') === true && !first.isQuoted;

const isInZone = (name: string, zoneName: string) => name === zoneName || name.endsWith(`.${zoneName}`);

/** Returns the name of a skipped entry, or undefined outside the zone: it may be a mistyped name of the zone. */
const nameIn = ({ owner }: State, entry: Entry, zoneName: string): string | undefined =>
  owner !== undefined && !isDirective(entry) && isInZone(owner, zoneName) ? owner : undefined;

function readEntry(state: State, entry: Entry, zoneName: string): RecordContent | undefined {
  if (isDirective(entry)) return applyDirective(state, entry);
  const { owner, ttl, type, data } = splitEntry(state, entry);
  if (type === 'SOA') return undefined;
  if (!isRecordType(type)) throw new SkippedLine(`Vigie n’écrit pas les enregistrements ${type}.`);
  if (!isInZone(owner, zoneName)) throw new SkippedLine(`Ce nom n’est pas dans la zone ${zoneName}.`);
  const { comment, isProxied } = readComment(entry.comment, state.maxComment);
  const form = RecordForm.safeParse({
    type,
    name: owner,
    ...readData(type, data, state.origin),
    ttl: ttl === automaticTtl ? ttl : Math.min(Math.max(ttl, minTtl), maxTtl),
    proxied: isProxied,
    comment,
  });
  if (!form.success) throw new SkippedLine(form.error.issues[0]?.message ?? 'Cette ligne n’est pas comprise.');
  return recordFromForm(form.data, zoneName);
}

/** Applies `$ORIGIN` and `$TTL`. Directives that include files or generate lines are refused. */
function applyDirective(state: State, { words: [name, value] }: Entry): undefined {
  const word = name?.text.toUpperCase();
  if (word === '$TTL') {
    state.ttl = readTtl(value?.text ?? '');
    if (state.ttl === undefined) throw new SkippedLine('Ce TTL n’est pas compris.');
  } else if (word === '$ORIGIN') state.origin = fullNameOf(value?.text ?? '', state.origin);
  else throw new SkippedLine(`La directive ${name?.text ?? ''} n’est pas prise en charge.`);
}

function splitEntry(state: State, { words, isIndented }: Entry) {
  const rest = [...words];
  if (!isIndented) state.owner = fullNameOf(rest.shift()?.text ?? '', state.origin);
  const { owner } = state;
  if (owner === undefined) throw new SkippedLine('Le nom de cet enregistrement manque.');
  const ttl = takeTtl(rest);
  const type = rest.shift()?.text.toUpperCase();
  if (!type || rest.length === 0) throw new SkippedLine('Cette ligne n’est pas comprise.');
  state.lastTtl = ttl ?? state.lastTtl;
  return { owner, ttl: ttl ?? state.ttl ?? state.lastTtl ?? defaultTtl, type, data: rest };
}

/** The class and the TTL come in either order, or not at all. */
function takeTtl(words: Word[]): number | undefined {
  let ttl: number | undefined;
  for (let n = 0; n < 2; n += 1) {
    const word = words[0]?.text ?? '';
    const seconds = readTtl(word);
    if (seconds !== undefined && ttl === undefined) ttl = seconds;
    else if (/^(?:CH|HS)$/i.test(word)) throw new SkippedLine('Seule la classe IN est prise en charge.');
    else if (!/^IN$/i.test(word)) break;
    words.shift();
  }
  return ttl;
}

/** Returns the full name in punycode; the origin is appended to a relative name. */
function fullNameOf(name: string, origin: string): string {
  if (name === '@') return origin;
  if (name === '.') return name;
  // A name under the root ends with a single dot.
  const fullName = name.endsWith('.') ? name : `${name}.${origin === '.' ? '' : origin}`;
  return asciiName(fullName) ?? fullName.toLowerCase();
}

type Data = { content: string; priority?: number };

function readData(type: RecordType, data: readonly Word[], origin: string): Data {
  const texts = data.map(({ text }) => text);
  const target = fullNameOf(texts.at(-1) ?? '', origin);
  if (type === 'CNAME' || type === 'NS') return { content: target };
  if (type === 'MX') return { content: target, priority: numberOf(texts.length === 2 ? texts[0] : undefined) };
  if (type === 'SRV') {
    const [priority, weight, port] = texts;
    if (texts.length !== 4) throw new SkippedLine('Un enregistrement SRV contient priorité, poids, port et cible.');
    return { content: `${weight} ${port} ${target}`, priority: numberOf(priority) };
  }
  if (type === 'CAA') return { content: `${texts[0]} ${texts[1]} "${texts.slice(2).join(' ')}"` };
  // Escapes are decoded later, with all other texts.
  if (type === 'TXT') return { content: texts.map((text) => `"${text}"`).join(' ') };
  if (texts.length > 1) throw new SkippedLine('Cette ligne contient plus d’une adresse.');
  return { content: texts[0] ?? '' };
}

function numberOf(text: string | undefined): number {
  if (text !== undefined && /^\d{1,5}$/.test(text)) return Number(text);
  throw new SkippedLine('La priorité manque, ou n’est pas un nombre.');
}

const tags = /cf_tags=(\S*)/;
/** Long enough for a comment and its tags. */
const maxNote = 1_000;

/** Reads a comment as Cloudflare exports it: the note, and a tag for the proxy. */
function readComment(text: string, max: number): { comment: string | null; isProxied: boolean } {
  const note = text.slice(0, maxNote);
  const tagList = tags.exec(note)?.[1] ?? '';
  // `cleanLine` again after the cut, which may have split a character.
  const comment = cleanLine(cleanLine(note.replace(tags, '')).slice(0, max));
  return { comment: comment || null, isProxied: tagList.split(',').includes('cf-proxied:true') };
}
