import { availableParallelism } from 'node:os';
import { fr } from '../terminal';
import type { ConsoleLoadResult } from './load-consoles';
import { type LoadResult, limits, type Refusals, type Step, type Verdict } from './load-judge';
import { type Kind, orders, reads } from './load-plan';
import { type Costs, sharesByApp } from './load-shares';
import { aim, milliseconds, number, type Report, tableOf, times } from './report';
import { sum } from './statistics';

export type Measured = {
  step: Step;
  result: LoadResult;
  echo: { p50: number; p99: number };
  costs: Costs;
  faults: ReadonlyMap<string, number>;
};

export type Overload = {
  rate: number;
  seconds: number;
  sent: number;
  shed: number;
  refused: Refusals;
  /** Reads that succeeded during the overload. */
  served: number;
  faults: ReadonlyMap<string, number>;
  recovery: number | undefined;
};

/** The load on one or two processes of each app. */
export type Round = {
  measured: readonly Measured[];
  held: Measured | undefined;
  overload: Overload;
  consoles: ConsoleLoadResult;
  /** The p99 from the order of an operation to its end. */
  completionP99: number;
};

type NamedRound = Round & { name: string };

const percent = (share: number) => `${number(share * 100)}\u00a0%`;
const verdicts: Record<Verdict, string> = {
  held: 'tenu',
  exceeded: 'dépassé',
  blind: 'ne compte pas : le générateur était en retard',
};

export const reportLoad = (rounds: readonly NamedRound[], hasPriority: boolean): Report[] => [
  ...rounds.map(steps),
  byKind(rounds),
  overloads(rounds),
  processorShares(rounds),
  { ...costsPerRequest(rounds), lines: conclude(rounds).split('\n'), note: notes(hasPriority) },
];

const steps = ({ name, measured }: NamedRound): Report => ({
  title: fr`Par paliers, ${name}`,
  table: tableOf(
    measured.map((entry) => ({ ...entry, name: `${number(entry.step.rate)}/s` })),
    [
      ['servies', ({ step }) => `${number(step.reads.perSecond)}/s`],
      ['p50', ({ step }) => milliseconds(step.reads.p50)],
      ['p99', ({ step }) => milliseconds(step.reads.p99)],
      ['écho p99', ({ echo }) => milliseconds(echo.p99)],
      ['refusées', ({ step }) => percent(step.shed / Math.max(1, step.sent))],
      ['retard du générateur', ({ step }) => milliseconds(Math.max(step.lateMs, step.loopMs))],
      ['', ({ step }) => verdicts[step.verdict]],
    ],
    'lectures',
  ),
  lines: [
    aim(
      fr`lectures par seconde à un p99 d’au plus ${goal.readMs}\u00a0ms`,
      Math.max(0, ...measured.filter(({ step }) => isFast(step)).map(({ step }) => step.reads.perSecond)),
      '≥',
      goal.perSecond,
      number,
    ),
  ],
});

/** What the busiest hour of a large fleet should find, well within the limit of a step. */
const goal = { perSecond: 350, readMs: 150, calmSeconds: 3 };
const isFast = ({ verdict, reads: { p99 } }: Step) => verdict === 'held' && p99 <= goal.readMs;

/** Makes a pair of columns for each round; a round that held nothing has dashes. */
const pairs = (
  rounds: readonly NamedRound[],
  second: string,
  lines: readonly (readonly [name: string, cells: (held: Measured, round: NamedRound) => readonly string[]])[],
) => [
  ['', ...rounds.flatMap(({ name }) => [name, second])],
  ...lines.map(([name, cells]) => [
    name,
    ...rounds.flatMap((round) => (round.held ? cells(round.held, round) : ['–', ''])),
  ]),
];

function byKind(rounds: readonly NamedRound[]): Report {
  const timesOf = ({ step }: Measured, kind: Kind, p99 = step.kinds[kind].p99) => [
    number(step.kinds[kind].perSecond, 1),
    step.kinds[kind].count === 0 ? '–' : milliseconds(p99),
  ];
  const title = fr`Par sorte et par seconde, au plus haut palier tenu`;
  const table = pairs(rounds, 'p99', [
    ...[...reads, ...orders].map(
      (kind) =>
        [kind === 'opérations' ? 'opérations acceptées' : kind, (held: Measured) => timesOf(held, kind)] as const,
    ),
    [fr`opérations, jusqu’à leur fin`, (held, { completionP99 }) => timesOf(held, 'opérations', completionP99)],
    [fr`écho d’une touche`, ({ echo }) => ['', milliseconds(echo.p99)]],
  ]);
  return { title, table };
}

function overloads(rounds: readonly NamedRound[]): Report {
  const faults = rounds.flatMap(({ overload, measured }) =>
    [overload, ...measured].flatMap((part) => [...part.faults]),
  );
  const worstRecovery = Math.max(...rounds.map(({ overload }) => overload.recovery ?? Number.POSITIVE_INFINITY));
  const table = tableOf(rounds, [
    ['lectures', ({ overload: { rate, seconds } }) => `${number(rate)}/s, ${number(seconds)}\u00a0s`],
    ['servies', ({ overload: { served, seconds } }) => `${number(served / seconds)}/s`],
    ['refusées (503)', ({ overload: { shed, sent } }) => percent(shed / Math.max(1, sent))],
    ['retour au p99', ({ overload: { recovery = Number.POSITIVE_INFINITY } }) => recoveryText(recovery)],
    ['consoles coupées', ({ consoles }) => number(consoles.dropped)],
    ['touches perdues', ({ consoles }) => number(consoles.lost)],
    ['lignes perdues ou doublées', ({ consoles }) => fr`${number(consoles.gaps)} sur ${number(consoles.lines)}`],
  ]);
  const lines = [
    ...rounds.flatMap(refusals),
    aim(fr`autre réponse que 2xx ou 503 avec Retry-After`, sum(faults.map(([, count]) => count)), '≤', 0, number),
    ...sumByFault(faults).map(([fault, count]) => `✗ ${fault} × ${count}`),
    aim(fr`retour au calme`, worstRecovery, '≤', goal.calmSeconds, recoveryText),
  ];
  return { title: fr`Bien trop d’un coup, puis le calme`, table, lines };
}

const recoveryText = (value: number) => (Number.isFinite(value) ? `${number(value)}\u00a0s` : 'pas vu');

const sumByFault = (faults: readonly (readonly [string, number])[]) =>
  [...new Set(faults.map(([fault]) => fault))].map(
    (fault) => [fault, sum(faults.filter(([name]) => name === fault).map(([, count]) => count))] as const,
  );

function refusals({ name, overload }: NamedRound): string[] {
  const { kinds, sentences } = overload.refused;
  if (sentences.size === 0) return [];
  const shares = [...kinds].map(([kind, { refused, sent }]) => `${kind} ${percent(refused / sent)}`);
  return [
    fr`Refusées, ${name} : ${shares.join(', ')}`,
    ...[...sentences].map(([sentence, count]) => fr`  ${number(count)} × « ${sentence} »`),
  ];
}

function processorShares(rounds: readonly NamedRound[]): Report {
  const apps = [...new Set(rounds.flatMap(({ held }) => (held ? [...sharesByApp(held.costs).keys()] : [])))];
  const cells = (app: string) => (held: Measured) => {
    const share = shareOf(app, held);
    return [`${number(share * availableParallelism() * held.costs.seconds, 1)}\u00a0s`, percent(share)];
  };
  const table = pairs(
    rounds,
    '',
    apps.map((app) => [app, cells(app)] as const),
  );
  return { title: fr`Où va le processeur, au plus haut palier tenu`, table };
}

function costsPerRequest(rounds: readonly NamedRound[]): Report {
  const of =
    (cell: (perRequest: Costs['perRequest']) => string) =>
    ({ held }: Round) =>
      held ? cell(held.costs.perRequest) : '–';
  const table = tableOf(rounds, [
    ['appels sur le bus', of(({ calls }) => number(calls, 2))],
    ['transactions', of(({ transactions }) => number(transactions, 2))],
    ['passerelle', of(({ gatewayMs }) => milliseconds(Math.max(0, gatewayMs)))],
    ['bus et attente du service', of(({ busMs }) => milliseconds(Math.max(0, busMs)))],
    ['service et sa base', of(({ ownerMs }) => milliseconds(ownerMs))],
  ]);
  return { title: fr`Où va le temps de chaque requête, au plus haut palier tenu`, table };
}

const shareOf = (name: string, { costs }: Measured) => sharesByApp(costs).get(name) ?? 0;
/** Detached programs of operations use a few hundredths. */
const maxOthers = 0.2;
/** Above this share, more processes cannot use more of the machine. */
const busyShare = 0.85;

/** Draws no conclusion when the generator was too slow. */
export function conclude(rounds: readonly Pick<Round, 'held' | 'measured'>[]): string {
  const [single, double] = rounds;
  const isBlind = rounds.some(({ measured }) => measured.some(({ step }) => step.verdict === 'blind'));
  if (isBlind)
    return fr`Pas de conclusion : à un palier c’est le générateur qui était en retard, pas Vigie. Recommencez sur une machine au repos.`;
  if (!single?.held || !double?.held) return fr`Pas de conclusion : aucun palier n’a tenu, même dix fois plus bas.`;
  const others = Math.max(shareOf('autres', single.held), shareOf('autres', double.held));
  if (others > maxOthers)
    return fr`Pas de conclusion : ${percent(others)} du processeur allaient à autre chose que cette mesure. Recommencez sur une machine au repos.`;
  const [first, second] = [single.held.step.rate, double.held.step.rate];
  const isOpen = [single, double].some(({ measured }) => measured.every(({ step }) => step.verdict === 'held'));
  const open = isOpen ? fr` Le dernier palier tenait encore : c’est au moins cela.` : '';
  const summary = fr`Avec deux de chaque : ${times(second / first)} (${number(first)} puis ${number(second)} lectures par seconde, p99 ≤ ${limits.readMs} ms).${open}`;
  const [singleUse, doubleUse] = [single.held.costs.machine, double.held.costs.machine];
  const cores = availableParallelism();
  if (singleUse < busyShare)
    return fr`${summary}
  Avec un seul la machine n’était occupée qu’à ${percent(singleUse)} : ce qui limitait est un processus, pas elle.`;
  return fr`${summary}
  Avec un seul les ${cores} cœurs étaient déjà occupés à ${percent(singleUse)} (dont ${percent(shareOf('générateur', single.held))} par le générateur), avec deux à ${percent(doubleUse)} : sur une
  seule machine deux répliques se partagent ce que l’une prenait, et ne peuvent pas doubler. Cela se mesure sur deux machines.`;
}

function notes(hasPriority: boolean): string {
  return fr`
  Les demandes viennent par leur rythme, au hasard, que l’on réponde ou non ; chacune compte depuis l’instant où elle était
  due. Un palier est dépassé quand le p99 des lectures passe ${limits.readMs} ms ou qu’une demande est refusée. Pour cent lectures : 30
  listes, 9 recherches, 15 tuiles, 28 fiches, 17 suivis, 1 DNS, par le propriétaire du parc, deux administrateurs et trois
  clients ; deux opérations qui attendent 0,4 s sur leur hôte, et un demi-test. C’est une supposition, pas un relevé. Personne
  ne visite le parc : relevés de santé et lectures des sites n’y sont pas. Générateur, hôtes, serveurs et produit partagent
  la machine${hasPriority ? fr` ; le générateur y passe en premier` : ''}. « Autres » est ce qui tourne en plus : les programmes détachés des opérations, et le reste.`;
}
