import { Fleet } from '@vigie/testing/fleet/fleet';
import { fr } from '../terminal';
import { Children } from '../test/children';
import { ensureWordPress } from '../test/wordpress';
import type { Workbench } from './workbench';

/** As many real and equal sites on one server of SSH. */
export async function startSites(bench: Workbench, count: number): Promise<Fleet> {
  bench.step(fr`prépare ce que les sites copient`);
  const children = new Children();
  bench.atEnd(() => children.stopAll());
  await ensureWordPress(children);
  bench.signal.throwIfAborted();
  bench.step(fr`démarre ${count} sites WordPress`);
  const fleet = await Fleet.start({ kinds: ['plain'], copies: count - 1 });
  bench.atEnd(() => fleet.close());
  return fleet;
}
