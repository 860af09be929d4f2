import type { Sizes } from '@vigie/testing/seed';
import { Refusal, fr } from '../terminal';

export const seedHelp = fr`Remplit une Vigie qui tourne d’un grand parc imaginaire, pour l’essayer ou la mesurer. Personne ne le visite.

  npm run seed [-- --sites 10000 --servers 1000 --plugins 30]

Les objets appartiennent au premier administrateur. La base est celle de DATABASE_URL, sinon celle que npm start fait tourner.
`;

const defaults: Sizes = { sites: 10_000, servers: 1_000, plugins: 30, groups: 20 };
const maxCount = 100_000;

export function readSizes(args: readonly string[]): Sizes | undefined {
  if (args.includes('--help') || args.includes('-h')) return undefined;
  const sizes = { ...defaults };
  for (let at = 0; at < args.length; at += 2) {
    const name = args[at]?.replace(/^--/, '');
    const value = Number(args[at + 1]);
    if (!isSize(name) || !Number.isInteger(value) || value < 1 || value > maxCount) throw new Refusal(seedHelp);
    sizes[name] = value;
  }
  return sizes;
}

const isSize = (name: string | undefined): name is keyof Sizes => name !== undefined && Object.hasOwn(defaults, name);
