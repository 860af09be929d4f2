import { fleetPackages, fleetUnavailableReason } from '@vigie/testing/fleet/machine';
import { canInstall, install } from './apt';
import type { Children } from './children';
import { failed, type Outcome, passed } from './results';

/** Installs the servers and prepares the templates of the WordPress sites. Tests without them say that they are skipped. */
export async function ensureWordPress(children: Children): Promise<Outcome> {
  const installed = !isComplete() && canInstall() ? await install(children, fleetPackages, isComplete) : undefined;
  if (installed?.output) console.log(installed.output);
  if (!isComplete()) return passed;
  const { code, output } = await children.run('node', ['tools/run.mjs', 'fleet', '--prepare']);
  return code === 0 ? passed : failed(output);
}

const isComplete = () => fleetUnavailableReason() === undefined;
