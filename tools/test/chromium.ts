import { alone } from '../lock.mjs';
import { findBinary } from '../start/binaries';
import type { Children } from './children';
import { failed, type Outcome, passed } from './results';

const names = ['chromium', 'chromium-browser', 'google-chrome'];
/** Of whoever installs packages for Vigie on this machine. */
const lock = '/run/vigie-packages.lock';

export const findChromium = () => names.map((name) => findBinary(name, undefined)).find((file) => file !== undefined);

/** From the distribution's packages when the machine has none. */
export async function ensureChromium(children: Children): Promise<Outcome> {
  if (findChromium()) return passed;
  if (process.getuid?.() !== 0 || !findBinary('apt-get', undefined)) {
    return failed('Chromium manque et ne peut pas être installé ici : installez le paquet chromium, puis relancez.');
  }
  return alone(lock, () => install(children));
}

async function install(children: Children): Promise<Outcome> {
  if (findChromium()) return passed;
  const update = await apt(children, ['update']);
  if (update.code !== 0) return failed(update.output);
  const { code, output } = await apt(children, [
    'install',
    '--yes',
    '--no-install-recommends',
    'chromium',
    'fonts-liberation',
  ]);
  return code === 0 && findChromium() ? passed : failed(output);
}

const apt = (children: Children, args: readonly string[]) =>
  children.run('apt-get', ['--quiet', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeoutMs: 600_000,
  });
