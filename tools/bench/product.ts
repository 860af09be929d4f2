import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { reasonOf } from '../terminal';
import type { Workbench } from './workbench';

export const administrator = { email: 'admin@vigie.test', password: 'les vigies veillent la nuit' };

export type Product = {
  pid: number;
  address: string;
  /** From the command to its line that gives the address. */
  startMs: number;
  /** Gives the time from SIGTERM to the end of the command. */
  stop: () => Promise<number>;
};

type Options = { checkout: string; home: string; env?: NodeJS.ProcessEnv };

/** Starts the product by the command that a user types, and waits for the line that a user waits for. */
export async function startProduct(bench: Workbench, { checkout, home, env }: Options): Promise<Product> {
  const since = performance.now();
  const child = spawn(process.execPath, ['tools/run.mjs', 'start'], {
    cwd: checkout,
    env: { ...ownEnv(home), ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    const asked = performance.now();
    child.kill('SIGTERM');
    await ended;
    return performance.now() - asked;
  };
  bench.atEnd(stop);
  let printed = '';
  const address = new Promise<string>((resolve) => {
    const hear = (text: string) => {
      printed += text;
      const line = /^.*Vigie est prête.*?(http:\S+)/m.exec(printed);
      if (line?.[1]) resolve(line[1]);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear);
  });
  const death = ended.then(
    () => Promise.reject(new Error(`npm start ended:\n${printed}`)),
    (error: unknown) => Promise.reject(new Error(`npm start failed: ${reasonOf(error)}`)),
  );
  const found = await Promise.race([address, death]);
  death.catch(() => undefined);
  return { pid: child.pid ?? 0, address: found, startMs: performance.now() - since, stop };
}

/** Private servers and a free port, whatever the shell says. */
function ownEnv(home: string): NodeJS.ProcessEnv {
  const { DATABASE_URL: _d, REDIS_URL: _r, NATS_URL: _n, VIGIE_PUBLIC_URL: _p, ...env } = process.env;
  return {
    ...env,
    // Under npm it stops by itself when whoever typed it is gone.
    npm_lifecycle_event: 'bench',
    VIGIE_HOME: home,
    HOST: '127.0.0.1',
    PORT: '0',
    VIGIE_ADMIN_EMAIL: administrator.email,
    VIGIE_ADMIN_PASSWORD: administrator.password,
  };
}

/** A session of the first administrator. */
export async function logIn(address: string): Promise<string> {
  const answer = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(administrator),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`the login failed: ${text}`);
  return String(JSON.parse(text)['access_token']);
}
