import { Fleet } from '@vigie/testing/fleet/fleet';
import { fr } from '../terminal';
import { Children } from '../test/children';
import { ensureWordPress } from '../test/wordpress';
import { folderInMemory } from './ssh-stage';
import type { Workbench } from './workbench';

/** Of a site with its database, with some to spare, and of MariaDB itself. */
const [siteBytes, databaseBytes] = [45_000_000, 300_000_000];

/** As many real and equal sites on one server of SSH. */
export async function startSites(bench: Workbench, count: number): Promise<Fleet> {
  bench.step(fr`prépare ce que les sites copient`);
  const children = new Children();
  bench.atEnd(() => children.stopAll());
  await ensureWordPress(children);
  bench.signal.throwIfAborted();
  bench.step(fr`démarre ${count} sites WordPress`);
  // A disk takes longer to copy and to remove that many than an interrupted run has.
  const folder = count > 1 ? folderInMemory(bench, count * siteBytes + databaseBytes) : undefined;
  const fleet = await Fleet.start({ kinds: ['plain'], copies: count - 1, ...(folder && { folder }) });
  bench.atEnd(() => fleet.close());
  return fleet;
}
