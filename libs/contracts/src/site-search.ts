/** Parses the search for sites, like `maj:oui php:<8.2 groupe:"Grands comptes" texte`. */

const comparisons = ['<=', '>=', '<', '>', '='] as const;
type Comparison = (typeof comparisons)[number];

/** Filters by a part of a name. */
export const namedTokenKeys = ['groupe', 'serveur', 'plugin'] as const;
export type NamedTokenKey = (typeof namedTokenKeys)[number];

type SiteToken =
  | { key: 'maj'; isWaiting: boolean }
  /** A range of codes, both ends included; 0 means no answer. */
  | { key: 'http'; from: number; to: number }
  | { key: 'statut'; status: 'ok' | 'warning' | 'error' | 'unknown' }
  | { key: NamedTokenKey; name: string }
  /** Only the given numbers are compared: 8.2.20 equals 8.2. */
  | { key: 'php' | 'wp'; comparison: Comparison; version: readonly number[] }
  /** Null finds sites without a backup. */
  | { key: 'sauvegarde'; age: { comparison: '<' | '>'; hours: number } | null };

type SiteTokenKey = SiteToken['key'];

/** A filter with its original text. */
export type ParsedToken = SiteToken & { written: string };

type UnknownToken = { key: string; written: string };

type SiteQuery = {
  tokens: ParsedToken[];
  /** The remaining words, searched literally. */
  text: string;
  /** Filters that do not exist, as they were written; they are left out of the search. */
  unknown: UnknownToken[];
  /** Why the search cannot be answered. */
  problem: string | undefined;
};

const maxTokens = 10;

const statuses = { ok: 'ok', attention: 'warning', erreur: 'error', inconnu: 'unknown' } as const;
const isStatus = (word: string): word is keyof typeof statuses => Object.hasOwn(statuses, word);

const hoursIn = { h: 1, j: 24 } as const;

function parseHttp(value: string): SiteToken | undefined {
  if (value === '0') return { key: 'http', from: 0, to: 0 };
  const [, first] = /^([1-5])xx$/i.exec(value) ?? [];
  if (first !== undefined) return { key: 'http', from: Number(first) * 100, to: Number(first) * 100 + 99 };
  return /^[1-5]\d\d$/.test(value) ? { key: 'http', from: Number(value), to: Number(value) } : undefined;
}

function parseVersion(key: 'php' | 'wp', value: string): SiteToken | undefined {
  const comparison = comparisons.find((sign) => value.startsWith(sign));
  const version = value.slice(comparison?.length ?? 0);
  if (!/^\d{1,4}(?:\.\d{1,4}){0,3}$/.test(version)) return undefined;
  return { key, comparison: comparison ?? '=', version: version.split('.').map(Number) };
}

function parseAge(value: string): SiteToken | undefined {
  if (value.toLowerCase() === 'jamais') return { key: 'sauvegarde', age: null };
  const [, comparison, count, unit] = /^([<>])(\d{1,4})([hj])$/i.exec(value) ?? [];
  if (comparison === undefined) return undefined;
  const hours = Number(count) * hoursIn[unit?.toLowerCase() === 'h' ? 'h' : 'j'];
  return { key: 'sauvegarde', age: { comparison: comparison === '<' ? '<' : '>', hours } };
}

const parseName = (key: NamedTokenKey) => (value: string) =>
  value.trim() === '' ? undefined : ({ key, name: value.trim() } as const);

type TokenKind = {
  parse: (value: string) => SiteToken | undefined;
  examples: readonly string[];
  description: string;
  /** Description of a valid value, following the word "attend". */
  expects: string;
};

/** The filters, in the order of the help. */
export const siteTokenKinds: Readonly<Record<SiteTokenKey, TokenKind>> = {
  maj: {
    parse: (value) => {
      const word = value.toLowerCase();
      return word === 'oui' || word === 'non' ? { key: 'maj', isWaiting: word === 'oui' } : undefined;
    },
    examples: ['oui', 'non'],
    description: 'Mises à jour en attente',
    expects: '«\u00a0oui\u00a0» ou «\u00a0non\u00a0»',
  },
  statut: {
    parse: (value) => {
      const word = value.toLowerCase();
      return isStatus(word) ? { key: 'statut', status: statuses[word] } : undefined;
    },
    examples: ['erreur', 'attention', 'ok', 'inconnu'],
    description: 'Statut du site',
    expects: '«\u00a0ok\u00a0», «\u00a0attention\u00a0», «\u00a0erreur\u00a0» ou «\u00a0inconnu\u00a0»',
  },
  http: {
    parse: parseHttp,
    examples: ['5xx', '4xx', '200', '0'],
    description: 'Réponse aux visiteurs (0\u00a0: aucune)',
    expects: 'un code comme «\u00a0200\u00a0», une famille comme «\u00a05xx\u00a0», ou «\u00a00\u00a0»',
  },
  wp: {
    parse: (value) => parseVersion('wp', value),
    examples: ['<6.9', '6.9'],
    description: 'Version de WordPress',
    expects: 'une version comme «\u00a06.9\u00a0» ou «\u00a0<6.9\u00a0»',
  },
  php: {
    parse: (value) => parseVersion('php', value),
    examples: ['<8.2', '8.2'],
    description: 'Version de PHP',
    expects: 'une version comme «\u00a08.2\u00a0» ou «\u00a0<8.2\u00a0»',
  },
  sauvegarde: {
    parse: parseAge,
    examples: ['>7j', 'jamais'],
    description: 'Âge de la dernière sauvegarde',
    expects: '«\u00a0>7j\u00a0», «\u00a0<24h\u00a0» ou «\u00a0jamais\u00a0»',
  },
  groupe: {
    parse: parseName('groupe'),
    examples: ['clients', 'grands comptes'],
    description: 'Groupe, et ceux qu’il contient',
    expects: 'le nom d’un groupe',
  },
  serveur: {
    parse: parseName('serveur'),
    examples: ['web-03'],
    description: 'Serveur, ou hôte SSH',
    expects: 'le nom d’un serveur',
  },
  plugin: {
    parse: parseName('plugin'),
    examples: ['woocommerce'],
    description: 'Plugin installé, par son dossier',
    expects: 'le dossier d’un plugin',
  },
};

const isKey = (word: string): word is SiteTokenKey => Object.hasOwn(siteTokenKinds, word);

export const siteTokenKeys: readonly SiteTokenKey[] = Object.keys(siteTokenKinds).filter(isKey);

/** Matches a key with its value, a quoted text, or a word; an open quote extends to the end. */
const searchPart = /([a-z]+):(?:"([^"]*)(?:"|$)|«([^»]*)(?:»|$)|(\S*))|"([^"]*)(?:"|$)|\S+/giu;

/** An address, with its port or without, is searched as text, although `https:` and `localhost:` look like keys. */
const isAddress = (key: string, written: string) =>
  /^[a-z]+:\/\//i.test(written) || (!isKey(key) && /^[a-z]+:\d/i.test(written));

export function parseSiteQuery(q: string): SiteQuery {
  const tokens: ParsedToken[] = [];
  const words: string[] = [];
  const unknown: UnknownToken[] = [];
  let problem: string | undefined;
  for (const [written, word = '', quoted, guillemets, bare, phrase] of q.normalize('NFC').matchAll(searchPart)) {
    const key = word.toLowerCase();
    const token = isKey(key) ? siteTokenKinds[key].parse(quoted ?? guillemets ?? bare ?? '') : undefined;
    if (key === '' || isAddress(key, written)) words.push(phrase ?? written);
    else if (!isKey(key)) unknown.push({ key, written });
    else if (token) tokens.push({ ...token, written });
    else problem ??= `«\u00a0${key}:\u00a0» attend ${siteTokenKinds[key].expects}.`;
  }
  if (tokens.length > maxTokens) problem ??= `Une recherche compte ${maxTokens} filtres au plus.`;
  return { tokens, text: words.join(' ').trim(), unknown, problem };
}

export const withoutToken = (q: string, token: Pick<ParsedToken, 'written'>): string => replaceToken(q, token, '');

export const replaceToken = (q: string, { written }: Pick<ParsedToken, 'written'>, next: string): string =>
  q
    .normalize('NFC')
    .replace(written, () => next)
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Writes a filter, with quotes when its value has spaces. */
export const writeToken = (key: SiteTokenKey, value: string): string =>
  /[\s"«»]/.test(value) ? `${key}:"${value.replaceAll('"', ' ').trim()}"` : `${key}:${value}`;
