import { join } from 'node:path';
import type { Program } from '../start/child';
import { root } from '../start/env';
import { freePort, listenError } from '../start/ports';

const defaultPort = 5173;

export async function chooseVitePort(): Promise<number> {
  return (await listenError(defaultPort, '127.0.0.1')) === undefined ? defaultPort : freePort();
}

/** Vite's development server, which proxies `/api` to the gateway. */
export function viteProgram(port: number, gateway: string, env: NodeJS.ProcessEnv): Program {
  return {
    name: 'vite',
    title: 'Vite',
    file: process.execPath,
    args: [join(root, 'node_modules/vite/bin/vite.js'), '--host', '127.0.0.1', '--port', `${port}`, '--strictPort'],
    cwd: join(root, 'apps/web'),
    env: { ...env, VIGIE_GATEWAY_URL: gateway },
  };
}
