import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../bare/debian';
import type { Children } from '../test/children';
import type { Outcome } from '../test/results';
import { runVitest } from '../test/vitest';
import { fr } from '../terminal';
import type { Release } from './debian';
import enter from './enter.sh';
import prepended from './messages.php';

export type Host = { release: Release; root: string };
type Files = { project: 'medium' | 'hosts'; filter: readonly string[]; env: NodeJS.ProcessEnv };

/** Runs files of tests whose hosts are a Debian's; what PHP says there against programs of ours is a failure more. */
export async function runOn(
  { release, root }: Host,
  children: Children,
  { project, filter, env }: Files,
): Promise<Outcome> {
  const shared = shareFolder(release);
  const left = join(shared, 'left');
  mkdirSync(left);
  const outcome = await runVitest(project, children, {
    folder: shared,
    filter,
    inside: ['unshare', '--mount', '--propagation', 'private', '/bin/sh', '-c', enter, root, shared],
    env: {
      ...env,
      VIGIE_TEST_ROOT: root,
      VIGIE_TEST_LEFT: left,
      // What sites are copied from was made by its PHP and its MariaDB.
      VIGIE_HOME: join(cacheFolder, `sites-${release}`),
    },
  });
  const messages = new Set(readFileSync(messagesOf(shared), 'utf8').split('\n').slice(0, -1));
  if (messages.size === 0) return outcome;
  const { tally, output } = outcome;
  const list = [...messages].toSorted().join('\n');
  return {
    tally: { ...tally, failed: tally.failed + 1 },
    output: `${output}\n${fr`PHP dit de nos programmes :`}\n${list}`,
  };
}

const messagesOf = (shared: string) => join(shared, 'messages');

/** Seen at /mnt by the host, whose users write there what PHP says. */
function shareFolder(release: Release): string {
  const shared = mkdtempSync(join(tmpdir(), `vigie-host-${release}-`));
  chmodSync(shared, 0o755);
  writeFileSync(join(shared, 'messages.php'), prepended);
  writeFileSync(messagesOf(shared), '');
  chmodSync(messagesOf(shared), 0o666);
  return shared;
}
