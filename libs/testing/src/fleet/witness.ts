import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import script from './php/witness.php';
import { contentOf, type FleetSite } from './sites';
import { writeFiles } from './extensions';

const WitnessedAction = z.object({
  did: z.enum(['update', 'install', 'activate', 'deactivate', 'migrate']),
  type: z.enum(['core', 'plugin', 'theme', 'translation']),
  /** A plugin's main file, or the folder of an installation. */
  item: z.string(),
  pid: z.int(),
  at: z.number(),
});
export type WitnessedAction = z.infer<typeof WitnessedAction>;

/** Records the actions that WordPress itself reports on a site. */
export class Witness {
  private constructor(private readonly file: string) {}

  /** Installs the recorder on a site; it writes into a folder outside of all sites. */
  static installOn(site: FleetSite, folder: string): Witness {
    const file = join(folder, `${site.database}.log`);
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o1777);
    writeFiles(contentOf(site), { 'mu-plugins/temoin.php': script.replace('{file}', file) });
    return new Witness(file);
  }

  get actions(): WitnessedAction[] {
    if (!existsSync(this.file)) return [];
    const lines = readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => WitnessedAction.parse(JSON.parse(line)));
  }
}
