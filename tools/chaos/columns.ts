import { fr } from '../terminal';
import type { Finding } from './audit';

/** What a trial counts, and by which words its findings belong there. */
const columns = {
  perdues: ['perdu'],
  doublées: ['commencé deux fois', 'donné deux fois', 'accepté deux fois', 'sans demande'],
  simultanées: ['deux à la fois sur un site'],
  'faux succès': ['dit réussi, sans son effet', 'cru trop tard', 'dit annulé, mais terminé'],
  'faux échecs': [
    'dit échoué, mais commencé',
    'dit échoué, mais fait',
    'dit échoué, sans essai',
    'dit inconnu, ce que le journal sait',
  ],
  restes: ['reste'],
  archives: ['archive incomplète', 'archive non listée', 'archive listée, absente'],
  DNS: [
    'fait deux fois chez Cloudflare',
    'dit fait, absent de Cloudflare',
    'dit fait, autre chez Cloudflare',
    'dit supprimé ou refusé, présent chez Cloudflare',
  ],
  bloquées: ['jamais terminé', 'sans bail'],
  'chaîne rompue': ['chaîne'],
  réponses: ['réponse'],
  croissance: ['croît'],
} as const;

/** All words of all columns. */
export type Found = (typeof columns)[keyof typeof columns][number];

const names = Object.keys(columns);

/** Words of no column have one of their own. */
export const columnOf = (what: string): string =>
  Object.entries(columns).find(([, words]) => words.some((word) => word === what))?.[0] ?? 'autres';

/** How many findings there are of each sort. */
export function count(findings: readonly Finding[]): [name: string, count: number][] {
  const found = findings.map(({ what }) => columnOf(what));
  const wanted = found.includes('autres') ? [...names, 'autres'] : names;
  return wanted.map((name) => [name, found.filter((other) => other === name).length]);
}

export const countLine = (findings: readonly Finding[]) =>
  count(findings)
    .map(([name, found]) => fr`${name} : ${found}`)
    .join(' | ');
