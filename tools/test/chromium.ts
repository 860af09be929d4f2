import { findBinary } from '../start/binaries';
import { canInstall, install } from './apt';
import type { Children } from './children';
import { failed, type Outcome, passed } from './results';

/** Chromium that paints no window around its pages: they cost half as much. */
const shell = 'chromium-headless-shell';
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome'];

const find = (name: string) => findBinary(name, undefined);

export const findChromium = () => names.map(find).find((file) => file !== undefined);

/** From the distribution's packages; where it has no such shell, whole. */
export async function ensureChromium(children: Children): Promise<Outcome> {
  const isThere = () => findChromium() !== undefined;
  if (canInstall()) await install(children, [shell, 'fonts-liberation'], () => find(shell) !== undefined);
  if (isThere()) return passed;
  if (!canInstall()) {
    return failed('Chromium manque et ne peut pas être installé ici : installez le paquet chromium, puis relancez.');
  }
  const { code, output } = await install(children, ['chromium', 'fonts-liberation'], isThere);
  return code === 0 && isThere() ? passed : failed(output);
}
