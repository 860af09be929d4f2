import { fr, Refusal } from '../terminal';

type Options = { part: string | undefined; filter: string[]; repeat: number };

/** `npm test -- [part [words of a path…]] [--repeat N]`. */
export function readOptions(args: readonly string[]): Options {
  const index = args.indexOf('--repeat');
  const [part, ...filter] = index === -1 ? args : args.toSpliced(index, 2);
  const repeat = index === -1 ? 1 : Number(args[index + 1]);
  if (!Number.isInteger(repeat) || repeat < 1)
    throw new Refusal(fr`--repeat veut un nombre de fois : npm test -- e2e --repeat 5.`);
  if (repeat > 1 && part !== 'e2e')
    throw new Refusal(fr`--repeat ne vaut que pour les scénarios : npm test -- e2e --repeat 5.`);
  return { part, filter, repeat };
}
