import { existsSync } from 'node:fs';
import type { Children } from './children';
import { failed, type Outcome, passed } from './results';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'];

export const findChromium = () => places.find((place) => existsSync(place));

/** From the distribution's packages when the machine has none. */
export async function ensureChromium(children: Children): Promise<Outcome> {
  if (findChromium()) return passed;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    return failed('Chromium manque et ne peut pas être installé ici : installez le paquet chromium, puis relancez.');
  }
  const update = await apt(children, ['update']);
  if (update.code !== 0) return failed(update.output);
  const install = await apt(children, ['install', '--yes', '--no-install-recommends', 'chromium', 'fonts-liberation']);
  return install.code === 0 && findChromium() ? passed : failed(install.output);
}

const apt = (children: Children, args: readonly string[]) =>
  children.run('apt-get', ['--quiet', '-o', 'DPkg::Lock::Timeout=300', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeoutMs: 600_000,
  });
