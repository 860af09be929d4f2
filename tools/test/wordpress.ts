import { fleetPackages, whyNoFleet } from '@vigie/testing/fleet/machine';
import { withoutNewUnits } from '../start/packages';
import { canInstall, install } from './apt';
import type { Children } from './children';
import { failed, type Outcome, passed } from './results';

/** What the WordPress sites of the tests run on and are copied from. The tests say themselves what they skip without it. */
export async function ensureWordPress(children: Children): Promise<Outcome> {
  // The tests start servers of their own; the machine gets none by that.
  if (!isComplete() && canInstall()) await withoutNewUnits(() => install(children, fleetPackages, isComplete));
  if (!isComplete()) return passed;
  const { code, output } = await children.run('node', ['tools/run.mjs', 'fleet', '--prepare']);
  return code === 0 ? passed : failed(output);
}

const isComplete = () => whyNoFleet() === undefined;
