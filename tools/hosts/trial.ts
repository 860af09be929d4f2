import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../bare/debian';
import type { Children } from '../test/children';
import type { Outcome } from '../test/results';
import { runVitest } from '../test/vitest';
import { fr } from '../terminal';
import type { Release } from './debian';
import enterScript from './enter.sh';
import messagesScript from './messages.php';

export type Host = { release: Release; root: string };
type TestSelection = { project: 'medium' | 'hosts'; filter: readonly string[]; env: NodeJS.ProcessEnv };

/** Runs test files on hosts of a Debian; a PHP message about one of our programs counts as a failure. */
export async function runTestsOn(
  { release, root }: Host,
  children: Children,
  { project, filter, env }: TestSelection,
): Promise<Outcome> {
  const shared = shareFolder(release);
  const leftFolder = join(shared, 'left');
  mkdirSync(leftFolder);
  const outcome = await runVitest(project, children, {
    folder: shared,
    filter,
    wrapper: ['unshare', '--mount', '--propagation', 'private', '/bin/sh', '-c', enterScript, root, shared],
    env: {
      ...env,
      VIGIE_TEST_ROOT: root,
      VIGIE_TEST_LEFT: leftFolder,
      // The templates of sites depend on the PHP and MariaDB of the release.
      VIGIE_HOME: join(cacheFolder, `sites-${release}`),
    },
  });
  const messages = new Set(readFileSync(messagesFile(shared), 'utf8').split('\n').slice(0, -1));
  if (messages.size === 0) return outcome;
  const { tally, output } = outcome;
  const list = [...messages].toSorted().join('\n');
  return {
    tally: { ...tally, failed: tally.failed + 1 },
    output: `${output}\n${fr`PHP dit de nos programmes :`}\n${list}`,
  };
}

const messagesFile = (shared: string) => join(shared, 'messages');

/** The host sees this folder at /mnt, and its users write PHP's messages there. */
function shareFolder(release: Release): string {
  const shared = mkdtempSync(join(tmpdir(), `vigie-host-${release}-`));
  chmodSync(shared, 0o755);
  writeFileSync(join(shared, 'messages.php'), messagesScript);
  writeFileSync(messagesFile(shared), '');
  chmodSync(messagesFile(shared), 0o666);
  return shared;
}
