import { fr } from '../terminal';
import { aim, milliseconds, number, printTable, times } from './table';
import { waitSeconds, type Waits } from './waits';

/** Where the time of one job goes when nothing else waits, in milliseconds. */
export type Hops = { ledger: number; queue: number; agent: number; total: number; p99: number };
export type Rate = { agents: number; perSecond: number; cpuMs: Readonly<Record<string, number>> };

type Measured = { many: number; few: number; hops: Hops; rates: readonly Rate[] };

const min = 0.05;
const minFactor = 1.8;

export function reportJobs({ many, few, hops, rates }: Measured): void {
  console.log(`\n${fr`Tâches vides : registre, répartiteur, file, agent, fin`}`);
  printTable(
    ['', 'par seconde'],
    rates.map(({ agents, perSecond }) => [agents === 1 ? 'un agent' : `${agents} agents`, number(perSecond)]),
  );
  const { ledger, queue, agent } = hops;
  const share = (ms: number) => [milliseconds(ms), `${number((100 * ms) / (ledger + queue + agent))} %`];
  console.log(`\n${fr`Une tâche seule : ${milliseconds(hops.total)} (p99 ${milliseconds(hops.p99)})`}`);
  printTable(
    ['', 'médiane', 'part'],
    [
      ['registre : acceptée → répartie', ...share(ledger)],
      ['file : répartie → confiée à l’agent', ...share(queue)],
      ['agent : confiée → finie', ...share(agent)],
    ],
  );
  console.log(`\n${fr`Processeur par tâche`}`);
  const names = [...new Set(rates.flatMap(({ cpuMs }) => Object.keys(cpuMs)))];
  const used = names.filter((name) => rates.some(({ cpuMs }) => (cpuMs[name] ?? 0) >= min));
  printTable(
    ['', ...rates.map(({ agents }) => (agents === 1 ? 'un agent' : `${agents} agents`))],
    used.map((name) => [name, ...rates.map(({ cpuMs }) => `${number(cpuMs[name] ?? 0, 2)}\u00a0ms`)]),
  );
  console.log(fr`
  ${number(many)} tâches en attente sur 50 serveurs, 3 à la fois sur chacun, 16 par agent : de la première confiée à la dernière
  finie. Une tâche seule : ${few}, l’une après l’autre, demandées par l’API. Chacune est écrite, répartie, réveillée par Redis,
  confiée, finie : quatre transactions dans PostgreSQL et deux appels par NATS, sans aucun travail sur un hôte.`);
}

/** With one agent and with two, each of which does so many at once. */
export function reportWaits(measured: readonly Waits[]): void {
  console.log(
    `\n${fr`Opérations qui attendent leur hôte ${waitSeconds} s chacune, par le journal d’opérations d’un vrai sshd`}`,
  );
  const agentsOf = ({ agents, atOnce }: Waits) =>
    agents === 1 ? fr`un agent, ${atOnce} à la fois` : fr`${agents} agents`;
  printTable(
    ['', 'par seconde', 'processeurs pris'],
    measured.map((one) => [agentsOf(one), number(one.perSecond, 1), `${number(100 * one.busy)} %`]),
  );
  const [one, two] = measured;
  const factor = (two?.perSecond ?? Number.NaN) / (one?.perSecond ?? Number.NaN);
  console.log(fr`
  Le double d’agents en fait ${times(factor)}, ${aim(fr`≥ ${number(minFactor, 1)}`, factor >= minFactor)}, tant que la machine,
  qui est aussi tous les hôtes, n’y est pas prise tout entière.`);
}
