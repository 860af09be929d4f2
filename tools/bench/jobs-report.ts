import { fr } from '../terminal';
import { aim, milliseconds, number, printTable, times } from './table';
import { waitSeconds, type Waits } from './waits';

/** Milliseconds in each stage of one job while nothing else waits. */
export type Hops = { ledger: number; queue: number; agent: number; total: number; p99: number };
export type Rate = { agents: number; perSecond: number; cpuMs: Readonly<Record<string, number>> };

type Measured = { queuedCount: number; singleCount: number; hops: Hops; rates: readonly Rate[] };

const min = 0.05;
const minFactor = 1.8;

export function reportJobs({ queuedCount, singleCount, hops, rates }: Measured): void {
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
  const visibleNames = names.filter((name) => rates.some(({ cpuMs }) => (cpuMs[name] ?? 0) >= min));
  printTable(
    ['', ...rates.map(({ agents }) => (agents === 1 ? 'un agent' : `${agents} agents`))],
    visibleNames.map((name) => [name, ...rates.map(({ cpuMs }) => `${number(cpuMs[name] ?? 0, 2)}\u00a0ms`)]),
  );
  console.log(fr`
  ${number(queuedCount)} tâches en attente sur 50 serveurs, 3 à la fois sur chacun, 16 par agent : de la première confiée à la dernière
  finie. Une tâche seule : ${singleCount}, l’une après l’autre, demandées par l’API. Chacune est écrite, répartie, réveillée par Redis,
  confiée, finie : quatre transactions dans PostgreSQL et deux appels par NATS, sans aucun travail sur un hôte.`);
}

export function reportWaits(measured: readonly Waits[]): void {
  console.log(
    `\n${fr`Opérations qui attendent leur hôte ${waitSeconds} s chacune, par le journal d’opérations d’un vrai sshd`}`,
  );
  const agentsOf = ({ agents, atOnce }: Waits) =>
    agents === 1 ? fr`un agent, ${atOnce} à la fois` : fr`${agents} agents`;
  printTable(
    ['', 'par seconde', 'processeurs pris'],
    measured.map((waits) => [agentsOf(waits), number(waits.perSecond, 1), `${number(100 * waits.busy)} %`]),
  );
  const [single, double] = measured;
  const factor = (double?.perSecond ?? Number.NaN) / (single?.perSecond ?? Number.NaN);
  console.log(fr`
  Le double d’agents en fait ${times(factor)}, ${aim(fr`≥ ${number(minFactor, 1)}`, factor >= minFactor)}, tant que la machine,
  qui est aussi tous les hôtes, n’y est pas prise tout entière.`);
}
