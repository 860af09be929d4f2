import { foldText, searchWords } from '@vigie/contracts/search-text';
import {
  Eye,
  HeartPulse,
  History,
  type LucideIcon,
  PackageOpen,
  PanelsTopLeft,
  Pencil,
  Radar,
  RefreshCw,
  SquareArrowOutUpRight,
  SquareTerminal,
  Stethoscope,
} from 'lucide-react';
import { isNear } from './match';

/** `label` stands before the name that it acts on; `words` are its synonyms, French and English. */
type Verb = { label: string; words: string; icon: LucideIcon };

/** Everything that can be done to what the palette finds, with all words that people type for it. */
export const verbs = {
  open: { label: 'Ouvrir', words: 'voir afficher aller open show go view', icon: Eye },
  backup: { label: 'Sauvegarder…', words: 'sauvegarde backup copie archive dump save', icon: PackageOpen },
  update: { label: 'Mettre à jour…', words: 'maj mise mises update upgrade', icon: RefreshCw },
  test: { label: 'Tester…', words: 'vérifier vérification test check ping', icon: HeartPulse },
  console: { label: 'Ouvrir la console de', words: 'terminal ssh shell', icon: SquareTerminal },
  repair: {
    label: 'Site cassé\u202f?',
    words: 'cassée réparer réparation panne dépanner diagnostic repair fix broken down',
    icon: Stethoscope,
  },
  restore: { label: 'Restaurer…', words: 'restauration rétablir restore', icon: History },
  login: { label: 'Ouvrir wp-admin de', words: 'wpadmin administration login connexion', icon: SquareArrowOutUpRight },
  discover: { label: 'Découvrir les sites de', words: 'découverte trouver discover find scan', icon: Radar },
  sites: { label: 'Voir les sites de', words: 'liste list', icon: PanelsTopLeft },
  edit: { label: 'Modifier…', words: 'éditer réglages edit change rename renommer', icon: Pencil },
} as const satisfies Record<string, Verb>;
export type VerbName = keyof typeof verbs;

/** Words that name nothing by themselves. */
const fillers = new Set('? a le la les l de du des d un une ce ces sur pour et site sites the of on and'.split(' '));
const withoutFillers = (words: readonly string[]) => {
  const rest = words.filter((word) => !fillers.has(word));
  return rest.length > 0 ? rest : words;
};

/** The words of a query that a result must match. */
export const meaningfulWords = (query: string): readonly string[] => withoutFillers(searchWords(query));

const wordsOf = ({ label, words }: Verb) =>
  searchWords(`${label} ${words}`.replaceAll(/[…?]/g, '')).filter((word) => !fillers.has(word));
const verbWords = (Object.keys(verbs) as VerbName[]).map((name) => [name, wordsOf(verbs[name])] as const);
const minPrefixLength = 3;

function verbsOf(word: string): VerbName[] {
  const matching = (matches: (other: string) => boolean) =>
    verbWords.filter(([, words]) => words.some(matches)).map(([name]) => name);
  const exact = matching((other) => other === word);
  if (exact.length > 0 || word.length < minPrefixLength) return exact;
  const begun = matching((other) => other.startsWith(word));
  return begun.length > 0 ? begun : matching((other) => isNear(word, other));
}

/** A filter with its value, a quoted text or a word. */
const part = /[a-z]+:(?:"[^"]*"?|«[^»]*»?|\S*)|"[^"]*"?|\S+/giu;

export type ParsedQuery = {
  /** The verbs that the query may mean. */
  verbs: ReadonlySet<VerbName>;
  /** The query without its verbs: "exemple.fr" of "sauvegarder exemple.fr". */
  rest: string;
};

/** Separates what to do from what to do it to, in any order. */
export function parseQuery(query: string): ParsedQuery {
  const found = new Set<VerbName>();
  const others: string[] = [];
  for (const [written] of query.normalize('NFC').matchAll(part)) {
    const names = /[:"«]/.test(written) ? [] : searchWords(written).flatMap(verbsOf);
    if (names.length === 0) others.push(written);
    for (const name of names) found.add(name);
  }
  const rest = found.size === 0 ? others : others.filter((word) => !fillers.has(foldText(word)));
  return { verbs: found, rest: rest.join(' ') };
}
