import { findBinary } from '../start/binaries';
import { canInstall, install } from './apt';
import type { Children } from './children';
import { failed, type Outcome, passed } from './results';

/** Chromium without a window, where pages take half as much CPU. */
const shell = 'chromium-headless-shell';
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome'];

const find = (name: string) => findBinary(name, undefined);

export const findChromium = () => names.map(find).find((file) => file !== undefined);

/** Installs the headless shell from the distribution's packages, or else the whole Chromium. */
export async function ensureChromium(children: Children): Promise<Outcome> {
  const isInstalled = () => findChromium() !== undefined;
  if (canInstall()) await install(children, [shell, 'fonts-liberation'], () => find(shell) !== undefined);
  if (isInstalled()) return passed;
  if (!canInstall()) {
    return failed('Chromium manque et ne peut pas être installé ici : installez le paquet chromium, puis relancez.');
  }
  const { code, output } = await install(children, ['chromium', 'fonts-liberation'], isInstalled);
  return code === 0 && isInstalled() ? passed : failed(output);
}
