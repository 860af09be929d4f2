import { fr } from '../start/console';
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
} as const;

/** How many findings there are of each sort; words of no column have one of their own. */
export function count(findings: readonly Finding[]): [name: string, count: number][] {
  const known = Object.entries(columns).map(([name, words]): [string, readonly string[]] => [name, words]);
  const all = known.flatMap(([, words]) => words);
  const others = findings.filter(({ what }) => !all.includes(what)).length;
  const counted = known.map(([name, words]): [string, number] => [
    name,
    findings.filter(({ what }) => words.includes(what)).length,
  ]);
  return others === 0 ? counted : [...counted, ['autres', others]];
}

export const countLine = (findings: readonly Finding[]) =>
  count(findings)
    .map(([name, found]) => fr`${name} : ${found}`)
    .join(' | ');
