import { fleetPackages, whyNoFleet } from '@vigie/testing/fleet/machine';
import { withoutNewUnits } from '../start/packages';
import { canInstall, install } from './apt';
import type { Children } from './children';
import { type Outcome, passed } from './results';

/** What the WordPress sites of the tests run on. The tests say themselves what they skip without it. */
export async function ensureWordPress(children: Children): Promise<Outcome> {
  if (isComplete() || !canInstall()) return passed;
  // The tests start servers of their own; the machine gets none by that.
  await withoutNewUnits(() => install(children, fleetPackages, isComplete));
  return passed;
}

const isComplete = () => whyNoFleet() === undefined;
