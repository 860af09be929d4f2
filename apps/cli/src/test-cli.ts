import { EventEmitter } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import type { SiteItem } from '@vigie/contracts/sites';
import { Api } from './api';
import { parseArguments } from './arguments';
import { Cli } from './cli';
import { commands } from './commands';
import { globalOptions } from './options';
import type { Env } from './env';
import { Output } from './output';
import { Prompt } from './prompt';

type Answer = { status?: number; body: unknown };
/** Answers as a Vigie would; `path` has the query, without `/api`. */
export type Answers = (request: { method: string; path: string; body: unknown }) => Answer | undefined;

const servers: Server[] = [];
/** For `afterEach`. */
export function closeServers(): void {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
}

async function serve(answers: Answers): Promise<string> {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const { method = '', url = '' } = request;
      const answer = answers({ method, path: url.slice('/api'.length), body: text === '' ? {} : JSON.parse(text) });
      if (!answer) response.destroy();
      else
        response
          .writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
          .end(JSON.stringify(answer.body));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** `typed` is what a person types at a terminal. */
type Settings = { env?: Partial<Env>; typed?: string };

/** A command with its line, against a server that answers like this, in English. */
export async function prepare(argv: readonly string[], answers: Answers, { env, typed }: Settings = {}) {
  const written = { out: '', err: '' };
  const streamOf = (name: 'out' | 'err') =>
    Object.assign(new EventEmitter(), {
      isTTY: typed !== undefined,
      columns: 200,
      write: (text: string) => {
        written[name] += text;
      },
    });
  const [out, err] = [streamOf('out'), streamOf('err')];
  const input = Object.assign(new PassThrough(), { isTTY: typed !== undefined, setRawMode: () => undefined });
  input.end(typed);
  const { command, ...given } = parseArguments(argv, commands, globalOptions);
  if (!command) throw new Error(`${argv.join(' ')} is no command`);
  const run = await command.load();
  const fullEnv: Env = {
    url: await serve(answers),
    token: 'vgt_secret',
    configHome: undefined,
    home: undefined,
    locale: undefined,
    noColor: false,
    isDumb: false,
    ...env,
  };
  const output = new Output(out, err, { isJson: argv.includes('--json'), mayRedraw: false });
  const prompt = new Prompt(input as unknown as NodeJS.ReadStream, err as unknown as NodeJS.WriteStream);
  const cli = new Cli(given, fullEnv, 'en', output, prompt, (access, patience) => new Api(access, undefined, patience));
  return { written, out, run: () => run(cli), cli };
}

/** A site that nothing is known of yet, as the list of sites has it. */
export const site: SiteItem = {
  id: '0199d0a0-0000-7000-8000-000000000002',
  role: 'owner',
  shared_by: null,
  name: 'Boutique',
  url: 'https://boutique.fr',
  groups: [],
  connection: {
    method: 'ssh',
    ssh: {
      server_id: null,
      server_name: null,
      host: null,
      port: null,
      user: null,
      wp_path: null,
      has_password: false,
      has_key: false,
      public_key: null,
      host_key: null,
      effective: null,
    },
  },
  status: 'unknown',
  status_reasons: [],
  work: null,
  ssh_error: null,
  problem: null,
  http: null,
  wpCore: { version: null, hasUpdate: false, new_version: null },
  php_version: null,
  updates: null,
  plugins_count: null,
  themes_count: null,
  last_backup_at: null,
  read_at: null,
};
