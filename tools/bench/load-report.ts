import { availableParallelism } from 'node:os';
import type { Sizes } from '@vigie/testing/seed';
import { countLine } from '../chaos/columns';
import type { Finding } from '../chaos/audit';
import { fr } from '../terminal';
import { type LoadResult, limits, type Refusals, type Step, type Verdict } from './load-judge';
import { type Kind, orders, reads } from './load-plan';
import { type Costs, sharesByApp } from './load-shares';
import type { ConsoleLoadResult } from './console-load';
import { aim, milliseconds, number, printTable, times } from './table';

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

export type Round = {
  replicas: number;
  measured: readonly Measured[];
  held: Measured | undefined;
  overload: Overload;
  consoles: ConsoleLoadResult;
  /** The p99 from the order of an operation to its end. */
  completionP99: number;
};

type LoadReport = {
  rounds: readonly Round[];
  jobs: { accepted: number; findings: readonly Finding[] };
  sizes: Sizes;
  consoles: { typing: number; printing: number };
  hasPriority: boolean;
};

const recoverySeconds = 10;
const formatUnlessNone = (count: number, text: string) => (count === 0 ? '–' : text);
const percent = (share: number) => `${number(share * 100)}\u00a0%`;
const replicasTitle = ({ replicas }: Round) => (replicas === 1 ? 'un de chaque' : `${replicas} de chaque`);
const verdicts: Record<Verdict, string> = {
  held: 'tenu',
  exceeded: 'dépassé',
  blind: 'ne compte pas : le générateur était en retard',
};

export function reportLoad(report: LoadReport): void {
  const { rounds, sizes, consoles } = report;
  console.log(
    `\n${fr`Charge mêlée : ${number(sizes.sites)} sites, ${number(sizes.servers)} serveurs, ${consoles.typing} consoles où l’on tape, ${consoles.printing} qui défilent, opérations et tests de connexion`}`,
  );
  for (const round of rounds) printSteps(round);
  printKinds(rounds);
  printOverload(report);
  printCosts(rounds);
  console.log(`\n${conclude(rounds)}`);
  console.log(notes(report));
}

function printSteps(round: Round): void {
  console.log(`\n${fr`Par paliers, ${replicasTitle(round)}`}`);
  printTable(
    ['lectures', 'servies', 'p50', 'p99', 'écho p99', 'refusées', 'retard du générateur', ''],
    round.measured.map(({ step, echo }) => [
      `${number(step.rate)}/s`,
      `${number(step.reads.perSecond)}/s`,
      milliseconds(step.reads.p50),
      milliseconds(step.reads.p99),
      milliseconds(echo.p99),
      percent(step.shed / Math.max(1, step.sent)),
      milliseconds(Math.max(step.lateMs, step.loopMs)),
      verdicts[step.verdict],
    ]),
  );
}

function printKinds(rounds: readonly Round[]): void {
  console.log(`\n${fr`Par sorte, au plus haut palier tenu`}`);
  const columns = rounds.flatMap((round) => [fr`${replicasTitle(round)} : par s`, 'p99']);
  const row = (name: string, cells: (round: Round, held: Measured) => [string, string]) => [
    name,
    ...rounds.flatMap((round) => (round.held ? cells(round, round.held) : ['–', '–'])),
  ];
  const kind = (name: Kind) =>
    row(name === 'opérations' ? 'opérations acceptées' : name, (_, { step }) => [
      number(step.kinds[name].perSecond, 1),
      formatUnlessNone(step.kinds[name].count, milliseconds(step.kinds[name].p99)),
    ]);
  printTable(
    ['', ...columns],
    [
      ...[...reads, ...orders].map(kind),
      row('opérations, jusqu’à leur fin', ({ completionP99 }, { step }) => [
        number(step.kinds.opérations.perSecond, 1),
        formatUnlessNone(step.kinds.opérations.count, milliseconds(completionP99)),
      ]),
      row('écho d’une touche', (_, { echo }) => ['', milliseconds(echo.p99)]),
    ],
  );
}

function printOverload({ rounds, jobs }: LoadReport): void {
  console.log(`\n${fr`Bien trop d’un coup, puis le calme`}`);
  const row = (name: string, cell: (round: Round) => string) => [name, ...rounds.map(cell)];
  printTable(
    ['', ...rounds.map(replicasTitle)],
    [
      row('lectures demandées', ({ overload }) => `${number(overload.rate)}/s, ${number(overload.seconds)}\u00a0s`),
      row('lectures servies', ({ overload }) => `${number(overload.served / overload.seconds)}/s`),
      row('refusées (503, à reprendre)', ({ overload }) => percent(overload.shed / Math.max(1, overload.sent))),
      row('retour au p99 d’avant', ({ overload }) =>
        overload.recovery === undefined ? 'pas vu' : `${number(overload.recovery)}\u00a0s`,
      ),
      row('consoles coupées', ({ consoles }) => number(consoles.dropped)),
      row('touches perdues', ({ consoles }) => number(consoles.lost)),
      row('lignes perdues ou doublées', ({ consoles }) => fr`${number(consoles.gaps)} sur ${number(consoles.lines)}`),
    ],
  );
  for (const round of rounds) printRefusals(round);
  const faults = new Map<string, number>();
  for (const { overload, measured } of rounds)
    for (const [fault, count] of [overload, ...measured].flatMap(({ faults: counts }) => [...counts]))
      faults.set(fault, (faults.get(fault) ?? 0) + count);
  const recovered = rounds.every(({ overload }) => (overload.recovery ?? Number.POSITIVE_INFINITY) <= recoverySeconds);
  console.log(fr`
  Autre réponse que 2xx ou 503 avec Retry-After : ${[...faults.values()].reduce((sum, count) => sum + count, 0)}, ${aim('0', faults.size === 0)}. Retour au calme : ${aim(`≤ ${recoverySeconds} s`, recovered)}.
  ${number(jobs.accepted)} tâches acceptées : ${jobs.findings.length === 0 ? fr`aucune perdue, aucune doublée, aucune mal contée` : countLine(jobs.findings)}.`);
  for (const [fault, count] of faults) console.log(`  ✗ ${fault} × ${count}`);
  for (const { kind, id } of jobs.findings) console.log(fr`  ✗ ${kind} : ${id}`);
}

function printRefusals(round: Round): void {
  const { kinds, sentences } = round.overload.refused;
  const shares = [...kinds].map(([kind, { refused, sent }]) => `${kind} ${percent(refused / sent)}`);
  if (sentences.size === 0) return;
  console.log(fr`  Refusées, ${replicasTitle(round)} : ${shares.join(', ')}`);
  for (const [sentence, count] of sentences) console.log(fr`    ${number(count)} × « ${sentence} »`);
}

function printCosts(rounds: readonly Round[]): void {
  console.log(`\n${fr`Où va le temps, au plus haut palier tenu`}`);
  const held = rounds.map(({ held: step }) => step && { shares: sharesByApp(step.costs), costs: step.costs });
  const names = [...new Set(held.flatMap((entry) => [...(entry?.shares.keys() ?? [])]))];
  const cell = (format: (entry: NonNullable<(typeof held)[number]>) => string) =>
    held.map((entry) => (entry ? format(entry) : '–'));
  const cores = availableParallelism();
  printTable(
    ['processeur', ...rounds.flatMap((round) => [replicasTitle(round), ''])],
    names.map((name) => [
      name,
      ...held.flatMap((entry) => {
        const share = entry?.shares.get(name) ?? 0;
        return entry ? [`${number(share * cores * entry.costs.seconds, 1)}\u00a0s`, percent(share)] : ['–', ''];
      }),
    ]),
  );
  console.log('');
  printTable(
    ['par requête', ...rounds.map(replicasTitle)],
    [
      ['appels sur le bus', ...cell(({ costs }) => number(costs.perRequest.calls, 2))],
      ['transactions de PostgreSQL', ...cell(({ costs }) => number(costs.perRequest.transactions, 2))],
      ['passerelle', ...cell(({ costs }) => milliseconds(Math.max(0, costs.perRequest.gatewayMs)))],
      ['bus et attente du service', ...cell(({ costs }) => milliseconds(Math.max(0, costs.perRequest.busMs)))],
      ['service et sa base', ...cell(({ costs }) => milliseconds(costs.perRequest.ownerMs))],
    ],
  );
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

function notes({ hasPriority }: LoadReport): string {
  return fr`
  Les demandes viennent par leur rythme, au hasard, que l’on réponde ou non ; chacune compte depuis l’instant où elle était
  due. Un palier est dépassé quand le p99 des lectures passe ${limits.readMs} ms ou qu’une demande est refusée. Pour cent lectures : 30
  listes, 9 recherches, 15 tuiles, 28 fiches, 17 suivis, 1 DNS, par le propriétaire du parc, deux administrateurs et trois
  clients ; deux opérations qui attendent 0,4 s sur leur hôte, et un demi-test. C’est une supposition, pas un relevé. Personne
  ne visite le parc : relevés de santé et lectures des sites n’y sont pas. Générateur, hôtes, serveurs et produit partagent
  la machine${hasPriority ? fr` ; le générateur y passe en premier` : ''}. « Autres » est ce qui tourne en plus : les programmes détachés des opérations, et le reste.`;
}
