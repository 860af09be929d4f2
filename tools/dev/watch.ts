import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type RolldownWatcher, type WatchOptions, watch } from 'rolldown';
import { root } from '../start/env';
import { type Service, services } from '../start/services';
import { fr, say } from '../terminal';

type Rebuilt = (service: Service, milliseconds: number) => void;

/** Builds every service, again at each change of what it is made of; `onBuilt` hears of each. */
export async function watchServices(onBuilt: Rebuilt): Promise<RolldownWatcher> {
  const options: WatchOptions[] = [];
  for (const service of services) options.push(await readConfig(service));
  const watcher = watch(options);
  watcher.on('event', async (event) => {
    if (event.code === 'ERROR') say(fr`La construction a échoué :\n${event.error.message}`);
    if (event.code === 'BUNDLE_END') {
      const service = services.find((name) => event.output.some((folder) => basename(folder) === name));
      if (service) onBuilt(service, event.duration);
    }
    if ('result' in event) await event.result.close();
  });
  return watcher;
}

/** The same configuration as the build's, which reads which service it is for from the folder it is run in. */
async function readConfig(service: Service): Promise<WatchOptions> {
  const cwd = join(root, 'apps', service);
  const before = process.cwd();
  process.chdir(cwd);
  try {
    const config: { default: WatchOptions } = await import(
      `${pathToFileURL(join(root, 'rolldown.config.mjs')).href}?${service}`
    );
    return { ...config.default, cwd };
  } finally {
    process.chdir(before);
  }
}
