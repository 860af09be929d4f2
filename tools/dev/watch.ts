import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type RolldownWatcher, type WatchOptions, watch } from 'rolldown';
import { root } from '../start/env';
import { type Service, services } from '../start/services';
import { fr, say } from '../terminal';

type OnBuilt = (service: Service, milliseconds: number) => void;

/** Builds every service, and again whenever its sources change; calls `onBuilt` after each build. */
export async function watchServices(onBuilt: OnBuilt): Promise<RolldownWatcher> {
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

/** Reads the configuration of the build, which takes the name of the service from the current folder. */
async function readConfig(service: Service): Promise<WatchOptions> {
  const cwd = join(root, 'apps', service);
  const previousFolder = process.cwd();
  process.chdir(cwd);
  try {
    const config: { default: WatchOptions } = await import(
      `${pathToFileURL(join(root, 'rolldown.config.mjs')).href}?${service}`
    );
    return { ...config.default, cwd };
  } finally {
    process.chdir(previousFolder);
  }
}
