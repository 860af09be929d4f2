import { findBinary } from '../start/binaries';
import { canInstall, install } from './apt';
import type { Children } from './children';
import { failed, type Outcome, passed } from './results';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

export const findChromium = () => names.map((name) => findBinary(name, undefined)).find((file) => file !== undefined);

/** From the distribution's packages when the machine has none. */
export async function ensureChromium(children: Children): Promise<Outcome> {
  const isThere = () => findChromium() !== undefined;
  if (isThere()) return passed;
  if (!canInstall()) {
    return failed('Chromium manque et ne peut pas être installé ici : installez le paquet chromium, puis relancez.');
  }
  const { code, output } = await install(children, ['chromium', 'fonts-liberation'], isThere);
  return code === 0 && isThere() ? passed : failed(output);
}
