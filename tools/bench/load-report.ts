import { availableParallelism } from 'node:os';
import type { Sizes } from '@vigie/testing/seed';
import { countLine } from '../chaos/columns';
import type { Finding } from '../chaos/audit';
import { fr } from '../terminal';
import { type Fired, limits, type Refused, type Step, type Verdict } from './load-judge';
import { type Kind, orders, reads } from './load-plan';
import { type Costs, sharesByApp } from './load-shares';
import type { ConsolesTold } from './load-told';
import { aim, milliseconds, number, printTable, times } from './table';

export type Measured = {
  step: Step;
  fired: Fired;
  echo: { p50: number; p99: number };
  costs: Costs;
  /** What nobody may be answered, and how often it was. */
  faults: ReadonlyMap<string, number>;
};

/** Far too much for a while, between two calm ones. */
export type Spell = {
  rate: number;
  seconds: number;
  sent: number;
  shed: number;
  refused: Refused;
  /** Reads, while it lasted. */
  served: number;
  faults: ReadonlyMap<string, number>;
  /** In seconds. */
  recovery: number | undefined;
};

export type Round = {
  replicas: number;
  measured: readonly Measured[];
  held: Measured | undefined;
  spell: Spell;
  consoles: ConsolesTold;
  /** Of work on a host, from the wish to the end, p99. */
  ends: number;
};

type Whole = {
  rounds: readonly Round[];
  jobs: { accepted: number; findings: readonly Finding[] };
  sizes: Sizes;
  consoles: { typing: number; printing: number };
  isHastened: boolean;
};

/** Longer than this is no recovery by itself. */
const recoverySeconds = 10;
const orNone = (count: number, text: string) => (count === 0 ? '–' : text);
const percent = (share: number) => `${number(share * 100)}\u00a0%`;
const titleOf = ({ replicas }: Round) => (replicas === 1 ? 'un de chaque' : `${replicas} de chaque`);
const verdicts: Record<Verdict, string> = {
  held: 'tenu',
  exceeded: 'dépassé',
  blind: 'ne compte pas : le générateur était en retard',
};

export function reportLoad(whole: Whole): void {
  const { rounds, sizes, consoles } = whole;
  console.log(
    `\n${fr`Charge mêlée : ${number(sizes.sites)} sites, ${number(sizes.servers)} serveurs, ${consoles.typing} consoles où l’on tape, ${consoles.printing} qui défilent, opérations et tests de connexion`}`,
  );
  for (const round of rounds) printSteps(round);
  printKinds(rounds);
  printOverload(whole);
  printCosts(rounds);
  console.log(`\n${conclude(rounds)}`);
  console.log(notes(whole));
}

function printSteps(round: Round): void {
  console.log(`\n${fr`Par paliers, ${titleOf(round)}`}`);
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
  const columns = rounds.flatMap((round) => [fr`${titleOf(round)} : par s`, 'p99']);
  const row = (name: string, cells: (round: Round, held: Measured) => [string, string]) => [
    name,
    ...rounds.flatMap((round) => (round.held ? cells(round, round.held) : ['–', '–'])),
  ];
  const kind = (name: Kind) =>
    row(name === 'opérations' ? 'opérations acceptées' : name, (_, { step }) => [
      number(step.kinds[name].perSecond, 1),
      orNone(step.kinds[name].count, milliseconds(step.kinds[name].p99)),
    ]);
  printTable(
    ['', ...columns],
    [
      ...[...reads, ...orders].map(kind),
      row('opérations, jusqu’à leur fin', ({ ends }, { step }) => [
        number(step.kinds.opérations.perSecond, 1),
        orNone(step.kinds.opérations.count, milliseconds(ends)),
      ]),
      row('écho d’une touche', (_, { echo }) => ['', milliseconds(echo.p99)]),
    ],
  );
}

function printOverload({ rounds, jobs }: Whole): void {
  console.log(`\n${fr`Bien trop d’un coup, puis le calme`}`);
  const row = (name: string, cell: (round: Round) => string) => [name, ...rounds.map(cell)];
  printTable(
    ['', ...rounds.map(titleOf)],
    [
      row('lectures demandées', ({ spell }) => `${number(spell.rate)}/s, ${number(spell.seconds)}\u00a0s`),
      row('lectures servies', ({ spell }) => `${number(spell.served / spell.seconds)}/s`),
      row('refusées (503, à reprendre)', ({ spell }) => percent(spell.shed / Math.max(1, spell.sent))),
      row('retour au p99 d’avant', ({ spell }) =>
        spell.recovery === undefined ? 'pas vu' : `${number(spell.recovery)}\u00a0s`,
      ),
      row('consoles coupées', ({ consoles }) => number(consoles.dropped)),
      row('touches perdues', ({ consoles }) => number(consoles.lost)),
      row('lignes perdues ou doublées', ({ consoles }) => fr`${number(consoles.gaps)} sur ${number(consoles.lines)}`),
    ],
  );
  for (const round of rounds) printRefused(round);
  const faults = new Map<string, number>();
  for (const { spell, measured } of rounds)
    for (const [what, count] of [spell, ...measured].flatMap((one) => [...one.faults]))
      faults.set(what, (faults.get(what) ?? 0) + count);
  const recovered = rounds.every(({ spell }) => (spell.recovery ?? Number.POSITIVE_INFINITY) <= recoverySeconds);
  console.log(fr`
  Autre réponse que 2xx ou 503 avec Retry-After : ${[...faults.values()].reduce((sum, count) => sum + count, 0)}, ${aim('0', faults.size === 0)}. Retour au calme : ${aim(`≤ ${recoverySeconds} s`, recovered)}.
  ${number(jobs.accepted)} tâches acceptées : ${jobs.findings.length === 0 ? fr`aucune perdue, aucune doublée, aucune mal contée` : countLine(jobs.findings)}.`);
  for (const [what, count] of faults) console.log(`  ✗ ${what} × ${count}`);
  for (const { kind, id } of jobs.findings) console.log(fr`  ✗ ${kind} : ${id}`);
}

function printRefused(round: Round): void {
  const { kinds, sentences } = round.spell.refused;
  const shares = [...kinds].map(([kind, { refused, sent }]) => `${kind} ${percent(refused / sent)}`);
  if (sentences.size === 0) return;
  console.log(fr`  Refusées, ${titleOf(round)} : ${shares.join(', ')}`);
  for (const [sentence, count] of sentences) console.log(fr`    ${number(count)} × « ${sentence} »`);
}

function printCosts(rounds: readonly Round[]): void {
  console.log(`\n${fr`Où va le temps, au plus haut palier tenu`}`);
  const held = rounds.map(({ held: one }) => one && { shares: sharesByApp(one.costs), costs: one.costs });
  const names = [...new Set(held.flatMap((one) => [...(one?.shares.keys() ?? [])]))];
  const cell = (say: (one: NonNullable<(typeof held)[number]>) => string) => held.map((one) => (one ? say(one) : '–'));
  const cores = availableParallelism();
  printTable(
    ['processeur', ...rounds.flatMap((round) => [titleOf(round), ''])],
    names.map((name) => [
      name,
      ...held.flatMap((one) => {
        const share = one?.shares.get(name) ?? 0;
        return one ? [`${number(share * cores * one.costs.seconds, 1)}\u00a0s`, percent(share)] : ['–', ''];
      }),
    ]),
  );
  console.log('');
  printTable(
    ['par requête', ...rounds.map(titleOf)],
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
/** The programs of operations are among them: a few hundredths. */
const maxOthers = 0.2;
/** From here on a machine has nothing left that more processes could use. */
const busy = 0.85;

/** What the rounds allow to be said, and nothing where it was the generator that could not follow. */
export function conclude(rounds: readonly Pick<Round, 'held' | 'measured'>[]): string {
  const [one, two] = rounds;
  const isBlind = rounds.some(({ measured }) => measured.some(({ step }) => step.verdict === 'blind'));
  if (isBlind)
    return fr`Pas de conclusion : à un palier c’est le générateur qui était en retard, pas Vigie. Recommencez sur une machine au repos.`;
  if (!one?.held || !two?.held) return fr`Pas de conclusion : aucun palier n’a tenu, même dix fois plus bas.`;
  const others = Math.max(shareOf('autres', one.held), shareOf('autres', two.held));
  if (others > maxOthers)
    return fr`Pas de conclusion : ${percent(others)} du processeur allaient à autre chose que cette mesure. Recommencez sur une machine au repos.`;
  const [first, second] = [one.held.step.rate, two.held.step.rate];
  const isOpen = [one, two].some(({ measured }) => measured.every(({ step }) => step.verdict === 'held'));
  const open = isOpen ? fr` Le dernier palier tenait encore : c’est au moins cela.` : '';
  const said = fr`Avec deux de chaque : ${times(second / first)} (${number(first)} puis ${number(second)} lectures par seconde, p99 ≤ ${limits.readMs} ms).${open}`;
  const [used, usedByTwo] = [one.held.costs.machine, two.held.costs.machine];
  const cores = availableParallelism();
  if (used < busy)
    return fr`${said}
  Avec un seul la machine n’était occupée qu’à ${percent(used)} : ce qui limitait est un processus, pas elle.`;
  return fr`${said}
  Avec un seul les ${cores} cœurs étaient déjà occupés à ${percent(used)} (dont ${percent(shareOf('générateur', one.held))} par le générateur), avec deux à ${percent(usedByTwo)} : sur une
  seule machine deux répliques se partagent ce que l’une prenait, et ne peuvent pas doubler. Cela se mesure sur deux machines.`;
}

function notes({ isHastened }: Whole): string {
  return fr`
  Les demandes viennent par leur rythme, au hasard, que l’on réponde ou non ; chacune compte depuis l’instant où elle était
  due. Un palier est dépassé quand le p99 des lectures passe ${limits.readMs} ms ou qu’une demande est refusée. Pour cent lectures : 30
  listes, 9 recherches, 15 tuiles, 28 fiches, 17 suivis, 1 DNS, par le propriétaire du parc, deux administrateurs et trois
  clients ; deux opérations qui attendent 0,4 s sur leur hôte, et un demi-test. C’est une supposition, pas un relevé. Personne
  ne visite le parc : relevés de santé et lectures des sites n’y sont pas. Générateur, hôtes, serveurs et produit partagent
  la machine${isHastened ? fr` ; le générateur y passe en premier` : ''}. « Autres » est ce qui tourne en plus : les programmes détachés des opérations, et le reste.`;
}
