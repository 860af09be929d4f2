import { judgeProcesses } from '../chaos/soak-judge';
import { withPrivateServers } from '../private-servers';
import { build } from '../start/build';
import { fr, Refusal } from '../terminal';
import { runTrial, step } from '../trials';
import { Stage } from './stage';
import { Attack, type Plan, shortPlan } from './attack';

const help = fr`Attaque le produit entier, qu’il démarre pour cela : des requêtes hostiles faites de ses routes et de ses schémas,
des archives menteuses, des hôtes hostiles, et le jugement de chaque réponse.

  npm run attack [-- --requests N] [--seed N] [--only MOTS] [--short]

  --requests N   au moins autant de requêtes (100000)
  --seed N       les mêmes cas que la fois où N a été affiché
  --only MOTS    les seules routes qui contiennent ces mots, comme 'POST /api/sites'
  --short        la forme courte, celle de npm test

Le code de sortie est 1 si quelque chose a été trouvé : chaque constat est une ligne qui le reproduit.
`;

const longPlan = { requests: 100_000, perRoute: 100, isShort: false };

function readPlan(args: readonly string[]): Plan {
  const plan = { ...longPlan, seed: Math.floor(Math.random() * 1_000_000), only: '' };
  for (let index = 0; index < args.length; index += 1) {
    const [word = '', next = ''] = [args[index], args[index + 1]];
    if (word === '--short') Object.assign(plan, shortPlan);
    else if (word === '--seed' && /^\d{1,9}$/.test(next)) plan.seed = Number(args[++index]);
    else if (word === '--requests' && /^\d{1,9}$/.test(next)) plan.requests = Number(args[++index]);
    else if (word === '--only' && next !== '') plan.only = args[++index] ?? '';
    else throw new Refusal(fr`Option inconnue : ${`${word} ${next}`.trim()} (npm run attack -- --help les donne).`);
  }
  return plan;
}

async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(help);
    return 0;
  }
  const plan = readPlan(args);
  await build(step, process.env, signal);
  console.log(fr`Graine : ${plan.seed}`);
  return withPrivateServers(signal, async () => {
    step(fr`Démarre le produit et ce qui sera attaqué…`);
    const stage = await Stage.open(plan.seed);
    try {
      return await attack(stage, plan);
    } finally {
      step(fr`Arrête ce qui a servi à l’attaque…`);
      await stage.close();
    }
  });
}

async function attack(stage: Stage, plan: Plan): Promise<number> {
  if (!stage.routes.some(({ key }) => key.includes(plan.only)))
    throw new Refusal(fr`Aucune route ne contient : ${plan.only}`);
  const { report, watch } = await Attack.run(stage, plan, step);
  report.print(judgeProcesses(watch.processes), watch.slowestProbeMs);
  const { length } = report.findings;
  console.log(length === 0 ? fr`Rien trouvé.` : fr`${length} constats (graine ${plan.seed}).`);
  return length === 0 ? 0 : 1;
}

await runTrial((signal) => main(process.argv.slice(2), signal));
