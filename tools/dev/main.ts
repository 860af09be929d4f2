import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type RolldownWatcher, type WatchOptions, watch } from 'rolldown';
import { describeAdmin } from '../start/admin';
import { forgetBuild } from '../start/build';
import type { Program } from '../start/child';
import { readSettings, root } from '../start/env';
import { Lifecycle } from '../start/lifecycle';
import { devHelp, readOptions } from '../start/options';
import { answers, freePort, listenError } from '../start/ports';
import { type Product, startProduct } from '../start/product';
import { type Service, migrate, services } from '../start/services';
import { waitFor } from '../start/wait';
import { bold, fr, reasonOf, say, seconds } from '../terminal';

const defaultPort = 5173;

let product: Product | undefined;

await new Lifecycle().run(async (life) => {
  if (readOptions(process.argv.slice(2), 'npm run dev').has('--help')) {
    console.log(devHelp);
    return;
  }
  const envSettings = readSettings();
  const vitePort = await chooseVitePort();
  const web = `http://127.0.0.1:${vitePort}`;
  // Browsers use Vite's address, so the gateway must accept that Origin.
  const publicUrl = envSettings.publicUrl ?? web;
  const settings = {
    ...envSettings,
    publicUrl,
    env: { VIGIE_CANARY_URLS: 'none', VIGIE_RDAP_URL: 'none', ...envSettings.env, VIGIE_PUBLIC_URL: publicUrl },
  };

  product = await startProduct(life, settings, () => buildContinuously(life));
  product.supervisor.keep(viteProgram(vitePort, product.address, envSettings.env));
  await waitFor(() => answers({ host: '127.0.0.1', port: vitePort }, '', /^/), {
    timeoutMs: 60_000,
    signal: life.signal,
  });
  say(fr`Vigie est prête : ${bold(web)} (Vite ; la passerelle est à ${product.address})`);
  for (const line of describeAdmin(settings)) say(line);
});

/** Resolves when every service is built; every later build restarts its service. */
async function buildContinuously(life: Lifecycle): Promise<void> {
  forgetBuild();
  const unbuilt = new Set<Service>(services);
  let restarts = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    life.signal.addEventListener('abort', () => reject(new Error('the start was interrupted')), { once: true });
    const onBuilt = (service: Service, milliseconds: number) => {
      unbuilt.delete(service);
      if (unbuilt.size === 0) resolve();
      if (product) restarts = restarts.then(() => restart(life, service, milliseconds));
    };
    watchServices(onBuilt).then((watcher) => life.atStop(() => watcher.close()), reject);
  });
}

async function restart(life: Lifecycle, service: Service, milliseconds: number): Promise<void> {
  if (!product || life.signal.aborted) return;
  say(fr`${service} a changé : reconstruit en ${seconds(milliseconds)}, relancé.`);
  try {
    await migrate(product, [service]);
    await product.supervisor.restart(service);
  } catch (error) {
    if (!life.signal.aborted) say(reasonOf(error));
  }
}

type OnBuilt = (service: Service, milliseconds: number) => void;

/** Builds every service, and again whenever its sources change; calls `onBuilt` after each build. */
async function watchServices(onBuilt: OnBuilt): Promise<RolldownWatcher> {
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

async function chooseVitePort(): Promise<number> {
  return (await listenError(defaultPort, '127.0.0.1')) === undefined ? defaultPort : freePort();
}

/** Vite's development server, which proxies `/api` to the gateway. */
function viteProgram(port: number, gateway: string, env: NodeJS.ProcessEnv): Program {
  return {
    name: 'vite',
    title: 'Vite',
    file: process.execPath,
    args: [join(root, 'node_modules/vite/bin/vite.js'), '--host', '127.0.0.1', '--port', `${port}`, '--strictPort'],
    cwd: join(root, 'apps/web'),
    env: { ...env, VIGIE_GATEWAY_URL: gateway },
  };
}
