import { fr } from '../terminal';
import { median } from './statistics';
import { aim, milliseconds, number, printTable, times } from './table';

export type Measured = {
  name: string;
  status: number;
  p50: number;
  p95: number;
  p99: number;
  bytes: number;
  statements: number;
};
type ScreenResult = {
  path: string;
  interactiveMs: number;
  longestMs: number;
  light: readonly string[];
  dark: readonly string[];
};

export type ScreenResults = { screens: ScreenResult[]; paletteMs: number };

const aims = { p95: 150, bytes: 300_000, ratio: 1.5, doubled: 1.2, searchMs: 50, interactiveMs: 1_000, taskMs: 200 };

export function reportEndpoints(small: readonly Measured[], large: readonly Measured[], isQuick: boolean): void {
  const sizes = isQuick ? '100 puis 1 000' : '1 000 puis 10 000';
  console.log(`\n${fr`Listes et tuiles, ${sizes} sites de 30 plugins`}`);
  printTable(
    ['', 'p50', 'p95', 'puis p50', 'puis p95', 'rapport', 'requêtes', 'ko', ''],
    large.map((after, index) => endpointRow(small[index] ?? after, after)),
  );
  const answered = large.filter(({ status }) => status === 200);
  const slowest = Math.max(...answered.map(({ p95 }) => p95));
  const largest = Math.max(...answered.map(({ bytes }) => bytes));
  const growing = answered.filter((after) => after.statements > (small.find(isNamed(after.name))?.statements ?? 0));
  const search = Math.max(...answered.filter(({ name }) => name.startsWith('Palette')).map(({ p95 }) => p95));
  const missing = large.filter(({ status }) => status !== 200);
  console.log(fr`
  Le p95 le plus long : ${milliseconds(slowest)}, ${aim(`< ${aims.p95} ms`, slowest < aims.p95)}. La plus grande réponse : ${number(largest / 1000)} ko, ${aim('< 300 ko', largest < aims.bytes)}.
  La palette : ${milliseconds(search)}, ${aim(`< ${aims.searchMs} ms`, search < aims.searchMs)}. Sans réponse 200 : ${missing.length}, ${aim('0', missing.length === 0)}.
  Plus de requêtes quand le parc grandit : ${growing.length}, ${aim('0', growing.length === 0)}.

  Chaque adresse est demandée une fois après l’autre, à chaud, tout sur la même machine. Le rapport est celui des deux
  p50, visé à ${number(aims.ratio, 1)} au plus. Un relais compte les requêtes à PostgreSQL ; son temps est compris.`);
}

export function reportDoubling(half: readonly Measured[], full: readonly Measured[], isQuick: boolean): void {
  const sizes = isQuick ? '500 puis 1 000' : '5 000 puis 10 000';
  const pairs = full.flatMap((after) => {
    const before = half.find(isNamed(after.name));
    return before && after.status === 200 ? [{ before, after }] : [];
  });
  console.log(`\n${fr`Le parc double, ${sizes} sites`}`);
  printTable(
    ['', 'p99', 'puis p99', 'rapport'],
    pairs.map(({ before, after }) => [
      after.name,
      milliseconds(before.p99),
      milliseconds(after.p99),
      times(after.p99 / before.p99),
    ]),
  );
  const medianRatio = median(pairs.map(({ before, after }) => after.p99 / before.p99));
  console.log(fr`
  Rapport médian des p99 : ${times(medianRatio)}, ${aim(fr`≤ ${number(aims.doubled, 1)}`, medianRatio <= aims.doubled)}.`);
}

const isNamed = (name: string) => (measured: Measured) => measured.name === name;

function endpointRow(before: Measured, after: Measured): string[] {
  if (after.status !== 200) return [after.name, '', '', '', '', '', '', '', `répond ${after.status}`];
  const ratio = after.p50 / before.p50;
  const missed = [
    ...(after.p95 < aims.p95 ? [] : ['p95']),
    ...(after.bytes < aims.bytes ? [] : ['taille']),
    ...(after.statements <= before.statements ? [] : ['requêtes']),
    ...(ratio <= aims.ratio ? [] : ['rapport']),
  ];
  return [
    after.name,
    milliseconds(before.p50),
    milliseconds(before.p95),
    milliseconds(after.p50),
    milliseconds(after.p95),
    times(ratio),
    `${before.statements} → ${after.statements}`,
    number(after.bytes / 1000, 1),
    missed.length === 0 ? 'tenu' : `manqué : ${missed.join(', ')}`,
  ];
}

export function reportScreens({ screens, paletteMs }: ScreenResults): void {
  console.log(`\n${fr`Écrans dans Chromium, sur le grand parc`}`);
  printTable(
    ['', 'utilisable', '', 'plus longue tâche', '', 'axe clair', 'axe sombre'],
    screens.map(({ path, interactiveMs, longestMs, light, dark }) => [
      path,
      milliseconds(interactiveMs),
      aim('< 1 s', interactiveMs < aims.interactiveMs),
      longestMs === 0 ? '< 50 ms' : milliseconds(longestMs),
      aim(`≤ ${aims.taskMs} ms`, longestMs <= aims.taskMs),
      `${light.length}`,
      `${dark.length}`,
    ]),
  );
  for (const { path, light, dark } of screens)
    for (const fault of new Set([...light, ...dark])) console.log(`  ${path} : ${fault}`);
  const faults = screens.reduce((sum, { light, dark }) => sum + light.length + dark.length, 0);
  console.log(fr`
  axe-core : ${faults} règle(s) enfreinte(s), ${aim('0', faults === 0)}. Palette, de la dernière lettre au premier nom : ${milliseconds(paletteMs)}.

  Utilisable : de la navigation, cache vide, jusqu’au premier moment libre du fil principal où l’écran a son titre et rien
  ne se charge plus dans son contenu ; médiane. La plus longue tâche du fil principal est celle de toutes les visites,
  deux secondes au-delà. DNS n’a pas de compte Cloudflare ici : c’est sa configuration qui est mesurée.`);
}
