import { fr } from '../terminal';
import type { Finding } from './audit';

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

export type FindingKind = (typeof columns)[keyof typeof columns][number];

const names = Object.keys(columns);

/** Unknown kinds are counted in a column of their own. */
export const columnOf = (kind: string): string =>
  Object.entries(columns).find(([, words]) => words.some((word) => word === kind))?.[0] ?? 'autres';

export function countByColumn(findings: readonly Finding[]): [name: string, count: number][] {
  const usedColumns = findings.map(({ kind }) => columnOf(kind));
  const shownColumns = usedColumns.includes('autres') ? [...names, 'autres'] : names;
  return shownColumns.map((name) => [name, usedColumns.filter((other) => other === name).length]);
}

export const countLine = (findings: readonly Finding[]) =>
  countByColumn(findings)
    .map(([name, usedColumns]) => fr`${name} : ${usedColumns}`)
    .join(' | ');
