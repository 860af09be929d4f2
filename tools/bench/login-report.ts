import { fr } from '../terminal';
import type { Guesses, Target } from './guesses';
import type { Measured } from './url-loads';
import { areaByChance, areaUnderCurve, median } from './statistics';
import { aim, milliseconds, number, printTable, times } from './table';

export type Reads = { alone: Measured; during: Measured; logins: Measured };

/** Lists have the order of the targets. The product is the last target. */
type Figures = {
  hash: string;
  alone: Measured;
  full: readonly Measured[];
  reads: readonly Reads[];
  guesses: readonly Guesses[];
};

/** The same concurrency of hashes as auth-svc. */
export const atOnce = 2;
export const readRate = 50;
const areaAim = 0.05;

const fullLegend = fr`
  32 connexions, un compte chacune, depuis un processus à part ; médiane de rondes alternées ; que des 200.
  Argon2id seul : la même empreinte vérifiée en boucle, ${atOnce} à la fois comme dans auth-svc, sans rien autour.
  Fastify nu : chercher la ligne, vérifier la même empreinte (autant à la fois que libuv en prend : 4), écrire la session.
  Vigie est entière : en plus, le mot de passe scellé jusqu’à auth-svc, deux lectures des compteurs de tentatives, la
  date de connexion, une ligne d’audit chaînée et un fait, que sites-svc met au fil d’activité pendant ce temps.`;

const readsLegend = fr`
  Une lecture toutes les ${1000 / readRate} ms, chronométrée depuis l’instant où elle était due ; pendant ce temps, ou non,
  32 connexions se connectent sans relâche. Rapport : pendant / seules.`;

const guessesLegend = fr`
  Mauvais mot de passe, un essai après l’autre, chacun d’une adresse et pour un email qui ne servent qu’une fois.
  Aire sous la courbe ROC : la part des paires (un connu, un inconnu) que leurs temps rangent dans l’ordre ; à 0,50 le
  temps ne dit rien, à 0 ou à 1 il dit tout. Le hasard seul l’éloigne de 0,50 d’autant, dans 19 cas sur 20.
  Fastify nu répond sans rien vérifier quand il n’y a pas de compte.`;

export function reportLogin(targets: readonly Target[], figures: Figures): void {
  reportFull(targets, figures);
  reportReads(targets, figures.reads);
  reportGuesses(targets, figures.guesses);
}

export function describeHash(hash: string): string {
  const [, memory, passes, lanes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(hash) ?? [];
  return fr`Argon2id : ${number(Number(memory) / 1024)} Mio, ${passes ?? '?'} passes, ${lanes ?? '?'} voie`;
}

/** The row of each rival shows the ratio of the product to it. */
function reportFull(targets: readonly Target[], { hash, alone, full }: Figures): void {
  const own = full.at(-1);
  if (!own) return;
  const names = ['Argon2id seul', ...targets.map(({ name }) => name)];
  const rows = [alone, ...full].map((measured, index) => {
    const ratio = measured === own ? '' : times(own.perSecond / measured.perSecond);
    const { perSecond, p50, p99 } = measured;
    return [names[index] ?? '', number(perSecond, 1), ratio, milliseconds(p50), milliseconds(p99)];
  });
  console.log(`\n${fr`POST /api/auth/login, bon mot de passe, à pleine charge (${describeHash(hash)})`}`);
  printTable(['', 'par seconde', 'Vigie vaut', 'p50', 'p99'], rows);
  console.log(fullLegend);
}

function reportReads(targets: readonly Target[], reads: readonly Reads[]): void {
  const rows = reads.map(({ alone, during, logins }, index) => [
    targets[index]?.name ?? '',
    milliseconds(alone.p50),
    milliseconds(alone.p99),
    milliseconds(during.p50),
    milliseconds(during.p99),
    times(during.p50 / alone.p50),
    times(during.p99 / alone.p99),
    number(logins.perSecond, 1),
  ]);
  console.log(`\n${fr`GET /api/auth/me, ${readRate} par seconde, pendant des connexions à pleine charge`}`);
  printTable(['', 'seules p50', 'p99', 'pendant p50', 'p99', 'rapport p50', 'p99', 'connexions/s'], rows);
  console.log(readsLegend);
}

function reportGuesses(targets: readonly Target[], guesses: readonly Guesses[]): void {
  const areas = guesses.map(({ known, unknown }) => areaUnderCurve(known, unknown));
  const rows = guesses.map(({ known, unknown }, index) => [
    targets[index]?.name ?? '',
    number(known.length + unknown.length),
    precise(median(known)),
    precise(median(unknown)),
    `×\u00a0${number(median(known) / median(unknown), 3)}`,
    number(areas[index] ?? Number.NaN, 3),
    `±\u00a0${number(areaByChance(known.length, unknown.length), 3)}`,
  ]);
  console.log(`\n${fr`POST /api/auth/login, mauvais mot de passe : le temps dit-il si le compte existe ?`}`);
  printTable(['', 'essais', 'connu p50', 'inconnu p50', 'rapport', 'aire ROC', 'hasard'], rows);
  const own = areas.at(-1) ?? Number.NaN;
  console.log(`  ${aim(fr`aire de 0,45 à 0,55`, Math.abs(own - 0.5) <= areaAim)} (${number(own, 2)})`);
  console.log(guessesLegend);
}

/** The relevant difference is a hundredth. */
const precise = (value: number) => `${number(value, 2)}\u00a0ms`;
