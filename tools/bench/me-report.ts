import { fr } from '../terminal';
import type { Measured } from './url-loads';
import { measureMemory } from './memory';
import { sum } from './statistics';
import { aim, milliseconds, number, printTable, times } from './table';

export type Target = { name: string; url: string };

/** Lists have the order of the targets. The product is the last target. */
type Figures = {
  full: readonly Measured[];
  even: readonly Measured[];
  salvo: readonly Measured[];
  processes: { product: ReadonlyMap<string, number>; rivals: ReadonlyMap<string, number> };
};

export const rate = 300;
const ratioAim = 0.3;
const p99AimMs = 50;
const servers = new Set(['postgresql', 'redis', 'nats']);

const legend = fr`
  32 connexions depuis un processus à part ; médiane de rondes alternées ; chaque réponse est un 200.
  Vigie est entière : passerelle → NATS → auth-svc → PostgreSQL, schémas, enveloppe signée, journal, limites, métriques.
  La passerelle garde une session 5 s : une requête coûte la seule lecture de l’utilisateur. Les deux rivaux font de
  même, en un processus, sur le même PostgreSQL, les mêmes lignes et le même jeton, mais sans journal ni limites.
  Fastify nu : pg, ni Nest ni schéma. Nest monolithique : Fastify, garde, TypeORM, réponse vérifiée par zod.`;

const rateLegend = fr`
  Régulières : une requête toutes les 3,3 ms, chronométrée depuis l’instant où elle était due.
  En salves : comme autocannon envoie ce débit, les ${rate} de chaque seconde d’un coup sur 32 connexions.`;

const memoryLegend = fr`
  PSS : ce que des processus partagent est divisé entre eux. PostgreSQL compte les siens.`;

export function reportMe(targets: readonly Target[], figures: Figures): void {
  reportFull(targets, figures.full);
  reportRate(targets, figures);
  reportMemory(figures.processes);
}

/** The row of each rival shows the ratio of the product to it. */
function reportFull(targets: readonly Target[], full: readonly Measured[]): void {
  const own = full.at(-1);
  if (!own) return;
  const rows = full.map(({ perSecond, p50, p99 }, index) => {
    const rival = index < full.length - 1;
    const name = targets[index]?.name ?? '';
    const ratios = rival ? [times(own.perSecond / perSecond), times(own.p99 / p99)] : ['', ''];
    return [name, number(perSecond), ratios[0] ?? '', milliseconds(p50), milliseconds(p99), ratios[1] ?? ''];
  });
  console.log(`\n${fr`GET /api/auth/me, à pleine charge`}`);
  printTable(['', 'requêtes/s', 'Vigie vaut', 'p50', 'p99', 'Vigie vaut'], rows);
  const ratio = own.perSecond / (full.at(-2)?.perSecond ?? Number.NaN);
  console.log(`  ${aim('≥ 0,30 du monolithe', ratio >= ratioAim)} (${number(ratio, 2)})`);
  console.log(legend);
}

function reportRate(targets: readonly Target[], { even, salvo }: Figures): void {
  const [ownEven, ownSalvo] = [even.at(-1), salvo.at(-1)];
  if (!ownEven || !ownSalvo) return;
  const cells = (measured: Measured | undefined, own: Measured) =>
    measured
      ? [milliseconds(measured.p50), milliseconds(measured.p99), measured === own ? '' : times(own.p99 / measured.p99)]
      : [];
  const rows = targets.map(({ name }, index) => [
    name,
    ...cells(even[index], ownEven),
    ...cells(salvo[index], ownSalvo),
  ]);
  console.log(`\n${fr`GET /api/auth/me, à ${rate} requêtes par seconde`}`);
  printTable(['', 'régulières p50', 'p99', 'Vigie vaut', 'en salves p50', 'p99', 'Vigie vaut'], rows);
  const describe = (own: Measured) => `${aim('p99 < 50\u00a0ms', own.p99 < p99AimMs)} (${milliseconds(own.p99)})`;
  console.log(fr`  régulières : ${describe(ownEven)} ; en salves : ${describe(ownSalvo)}`);
  console.log(rateLegend);
}

function reportMemory({ product, rivals }: Figures['processes']): void {
  const sizes = measureMemory(new Map([...product, ...rivals]));
  const monolith = sizes.find(({ name }) => name === 'monolith')?.megabytes ?? 0;
  console.log(`\n${fr`Mémoire après la charge`}`);
  if (monolith === 0) return console.log(fr`  Ce système ne dit pas la part de mémoire de chaque processus.`);
  const own = sizes.filter(({ name }) => product.has(name) && !servers.has(name));
  const all = { name: 'Vigie sans les serveurs', megabytes: sum(own.map(({ megabytes }) => megabytes)) };
  printTable(
    ['', 'PSS', 'du monolithe'],
    [...sizes, all].map(({ name, megabytes }) => [name, `${number(megabytes)}\u00a0Mo`, times(megabytes / monolith)]),
  );
  console.log(memoryLegend);
}
