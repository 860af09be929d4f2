import { listServers, readServer, type Server, testServer } from '@vigie/contracts/servers';
import type { Cli } from './cli';
import { exitCodes } from './failures';
import { seeThrough } from './follow';
import type { Words } from './language';
import { findServer } from './names';

const stateOf = ({ status: { online } }: Server): Words => {
  if (online === null) return { fr: 'inconnu', en: 'unknown' };
  return online ? { fr: 'en ligne', en: 'online' } : { fr: 'injoignable', en: 'offline' };
};

function table(cli: Cli, servers: readonly Server[]): void {
  cli.output.tableById(
    [
      'ID',
      cli.say({ fr: 'NOM', en: 'NAME' }),
      cli.say({ fr: 'HÔTE', en: 'HOST' }),
      'PORT',
      'SITES',
      cli.say({ fr: 'ÉTAT', en: 'STATE' }),
      cli.say({ fr: 'DEPUIS', en: 'UPTIME' }),
    ],
    servers.map((server) => [
      server.id,
      server.name,
      server.host,
      server.port,
      server.sites_count,
      cli.say(stateOf(server)),
      server.status.uptime ?? server.status.error,
    ]),
  );
}

export async function list(cli: Cli): Promise<number> {
  const { data, raw } = await cli.api.answer(listServers, { q: cli.given.parameters.join(' ') });
  if (cli.isJson) cli.output.json(raw);
  else table(cli, data.items);
  return exitCodes.done;
}

export async function show(cli: Cli): Promise<number> {
  const { id } = await findServer(cli, cli.given.parameters[0] ?? '');
  const { data, raw } = await cli.api.answer(readServer, { id });
  if (cli.isJson) cli.output.json(raw);
  else table(cli, [data]);
  return exitCodes.done;
}

export async function test(cli: Cli): Promise<number> {
  const { id } = await findServer(cli, cli.given.parameters[0] ?? '');
  return seeThrough(cli, await cli.api.call(testServer, { id }));
}
