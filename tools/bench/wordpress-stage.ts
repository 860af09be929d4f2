import { Fleet } from '@vigie/testing/fleet/fleet';
import { fr } from '../terminal';
import { Children } from '../test/children';
import { ensureWordPress } from '../test/wordpress';
import { folderInMemory } from './ssh-stage';
import type { Workbench } from './workbench';

/** Generous sizes of a site with its database and of MariaDB itself. */
const [siteBytes, databaseBytes] = [45_000_000, 300_000_000];

export async function startSites(bench: Workbench, count: number): Promise<Fleet> {
  bench.step(fr`prépare ce que les sites copient`);
  const children = new Children();
  bench.atEnd(() => children.stopAll());
  await ensureWordPress(children);
  bench.signal.throwIfAborted();
  bench.step(fr`démarre ${count} sites WordPress`);
  // A disk is too slow to copy and delete that many sites.
  const folder = count > 1 ? folderInMemory(bench, count * siteBytes + databaseBytes) : undefined;
  const fleet = await Fleet.start({ kinds: ['plain'], copies: count - 1, ...(folder && { folder }) });
  bench.atEnd(() => fleet.close());
  return fleet;
}
