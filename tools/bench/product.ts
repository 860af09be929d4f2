import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { reasonOf } from '../terminal';
import type { Workbench } from './workbench';

export const administrator = { email: 'admin@vigie.test', password: 'les vigies veillent la nuit' };

export type Product = {
  pid: number;
  address: string;
  /** Milliseconds from the command to the line with the address. */
  startMs: number;
  /** Returns the milliseconds from SIGTERM to the end of the process. */
  stop: () => Promise<number>;
};

type Options = { checkout: string; home: string; env?: NodeJS.ProcessEnv };

/** Starts the product with the command of a user, and waits for the line with the address. */
export async function startProduct(bench: Workbench, { checkout, home, env }: Options): Promise<Product> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['tools/run.mjs', 'start'], {
    cwd: checkout,
    env: { ...privateEnv(home), ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    const requestedAt = performance.now();
    child.kill('SIGTERM');
    await ended;
    return performance.now() - requestedAt;
  };
  bench.atEnd(stop);
  let printed = '';
  const address = new Promise<string>((resolve) => {
    const onOutput = (text: string) => {
      printed += text;
      const line = /^.*Vigie est prête.*?(http:\S+)/m.exec(printed);
      if (line?.[1]) resolve(line[1]);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onOutput);
  });
  const death = ended.then(
    () => Promise.reject(new Error(`npm start ended:\n${printed}`)),
    (error: unknown) => Promise.reject(new Error(`npm start failed: ${reasonOf(error)}`)),
  );
  const foundAddress = await Promise.race([address, death]);
  death.catch(() => undefined);
  return { pid: child.pid ?? 0, address: foundAddress, startMs: performance.now() - startedAt, stop };
}

/** Uses private servers and a free port, independent of the environment of the shell. */
function privateEnv(home: string): NodeJS.ProcessEnv {
  const { DATABASE_URL: _d, REDIS_URL: _r, NATS_URL: _n, VIGIE_PUBLIC_URL: _p, ...env } = process.env;
  return {
    ...env,
    // Under npm the starter stops when its parent process ends.
    npm_lifecycle_event: 'bench',
    VIGIE_HOME: home,
    HOST: '127.0.0.1',
    PORT: '0',
    VIGIE_ADMIN_EMAIL: administrator.email,
    VIGIE_ADMIN_PASSWORD: administrator.password,
  };
}

export async function logIn(address: string, account = administrator): Promise<string> {
  const answer = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`the login failed: ${text}`);
  return String(JSON.parse(text)['access_token']);
}

/** Returns a function that sends API requests and returns the text of their answers. */
export const requestAs = (address: string, token: string) => async (method: string, path: string, body?: object) => {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(`${address}/api/${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text;
};
