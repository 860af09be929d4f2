import { Lifecycle } from '../start/lifecycle';
import { Refusal, fr, reasonOf } from '../terminal';
import { requireRootAndPrograms } from './requirements';
import { help, readBareOptions } from './options';
import { tryCommand } from './trial';

const programs = ['apt-get', 'git', 'unshare', 'nsenter', 'chroot'];

await new Lifecycle('command').run(async ({ signal }) => {
  process.exitCode = await run(process.argv.slice(2), signal);
});
process.exit();

async function run(args: readonly string[], signal: AbortSignal): Promise<number> {
  const options = readBareOptions(args);
  if (!options) {
    console.log(help);
    return 0;
  }
  requireRootAndPrograms(programs);
  const outcomes: string[] = [];
  let failures = 0;
  for (const release of options.releases) {
    const outcome = await tryCommand(release, options.part, signal).catch((error: unknown) => {
      if (signal.aborted || !(error instanceof Refusal)) throw error;
      failures += 1;
      return fr`échec : ${reasonOf(error)}`;
    });
    outcomes.push(fr`Debian ${release} : ${outcome}`);
  }
  console.log(`\n${outcomes.join('\n')}`);
  return failures === 0 ? 0 : 1;
}
