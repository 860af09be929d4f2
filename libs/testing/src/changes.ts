import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connect, type Connection } from '@vigie/ssh/connection';
import { stop } from '@vigie/ssh/journal';
import {
  type ChangeOrder,
  ChangeReader,
  changeTask,
  packagePath,
  rollbackTask,
  tidyTask,
} from '@vigie/wordpress/change';
import { type UpdatesOrder, UpdatesReader, updatesTask } from '@vigie/wordpress/updates';
import type { Fleet } from './fleet/fleet';
import { deploy } from './fleet/machine';
import { contentOf, type FleetSite } from './fleet/sites';
import { runOperation } from './operations';
import { targetOf } from './ssh-targets';

type ChangeRun<Reader = ChangeReader> = {
  reader: Reader;
  code: number | null;
  /** Everything printed, for failure messages. */
  printed: string;
};
type ItemName = `${ChangeOrder['item']['kind']}.${string}`;
type ChangeOptions = Pick<ChangeOrder, 'action'> & { item: ItemName } & Partial<
    Pick<ChangeOrder, 'to' | 'activate' | 'package' | 'rollbackCopyId' | 'seconds' | 'operation'>
  >;

/** Changes sites of a fleet over one connection, as an agent does. */
export class Changes {
  private constructor(
    private readonly fleet: Fleet,
    readonly connection: Connection,
  ) {}

  static async connect(fleet: Fleet, user: string): Promise<Changes> {
    return new Changes(fleet, await connect(targetOf(fleet.host, { user })));
  }

  close = () => this.connection.close();

  order(site: FleetSite, { action, item, ...options }: ChangeOptions): ChangeOrder {
    return {
      ...this.operationOn(site),
      action,
      item: itemOf(item),
      to: null,
      activate: false,
      package: null,
      rollbackCopyId: null,
      ...options,
    };
  }

  /** Orders updates of several items to the given versions. */
  updatesOrder(site: FleetSite, versions: Readonly<Record<`${'plugin' | 'theme'}.${string}`, string>>): UpdatesOrder {
    const items = Object.entries(versions).map(([name, to]) => {
      const { slug } = itemOf(name);
      const kind = name.startsWith('theme.') ? ('theme' as const) : ('plugin' as const);
      return { operation: randomUUID(), item: { kind, slug, name: slug }, to };
    });
    return { ...this.operationOn(site), items };
  }

  private operationOn({ path, url }: FleetSite) {
    const api = this.fleet.wordpressOrg.url;
    return { operation: randomUUID(), site: { id: siteId(path), path, url }, php: '/usr/bin/php', api };
  }

  /** Places an archive where the operation expects it, as if an agent had uploaded it. */
  withArchive(order: ChangeOrder, bytes: Buffer): ChangeOrder {
    const path = packagePath(this.fleet.host.homeOf(deploy.name), order.operation);
    for (const folder of [dirname(dirname(path)), dirname(path)]) {
      mkdirSync(folder, { recursive: true });
      chownSync(folder, deploy.uid, deploy.gid);
    }
    writeFileSync(path, bytes, { mode: 0o600 });
    chownSync(path, deploy.uid, deploy.gid);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { ...order, package: { sha256, size: bytes.length, unpacked: null } };
  }

  /** Runs a change; `before` is shell code that precedes its script. */
  change = (order: ChangeOrder, before = ''): Promise<ChangeRun> => {
    const { script, input } = changeTask(order);
    return this.run(order, order.operation, { script: before + script, input });
  };

  rollBack = (order: ChangeOrder, young: number | null = null, before = ''): Promise<ChangeRun> => {
    const { script, input } = rollbackTask(order, young);
    return this.run(order, randomUUID(), { script: before + script, input });
  };

  tidy = (order: ChangeOrder): Promise<ChangeRun> => this.run(order, randomUUID(), tidyTask(order));

  updates = (order: UpdatesOrder, before = ''): Promise<ChangeRun<UpdatesReader>> => {
    const { script, input } = updatesTask(order);
    const task = { script: before + script, input };
    return this.read(new UpdatesReader(order), { id: order.operation, lock: order.site.path, ...task });
  };

  stop = (operation: string) => stop(this.connection, operation);

  private run = (order: ChangeOrder, id: string, task: { script: string; input: string }): Promise<ChangeRun> =>
    this.read(new ChangeReader(order), { id, lock: order.site.path, ...task });

  private async read<Reader extends { readLine(line: string): unknown }>(
    reader: Reader,
    { id, ...task }: Parameters<typeof runOperation>[2] & { id: string },
  ): Promise<ChangeRun<Reader>> {
    const { lines, code, printed } = await runOperation(this.connection, id, task);
    for (const line of lines) reader.readLine(line);
    return { reader, code, printed: `${lines.join('\n')}${printed}` };
  }
}

function itemOf(name: string): ChangeOrder['item'] {
  const dot = name.indexOf('.');
  const slug = name.slice(dot + 1);
  return { kind: name.slice(0, dot) as ChangeOrder['item']['kind'], slug, name: slug };
}

/** The changes that would have updated each item alone, by which each is rolled back or tidied up. */
export const changesOf = ({ items, operation: together, ...order }: UpdatesOrder): ChangeOrder[] =>
  items.map((each) => ({
    ...order,
    ...each,
    together,
    action: 'update',
    activate: false,
    package: null,
    rollbackCopyId: null,
  }));

/** Lists names, types, modes, link targets and hashes of all files, except WordPress's unpacking folder. */
const listing = `cd "$0" && { find . -path ./wp-content/upgrade -prune -o -type f -exec sha256sum -z {} + | sort -z
  find . -path ./wp-content/upgrade -prune -o -printf '%p %m %y %l\\0' | sort -z; } | tr '\\0' '\\n'`;
export const treeOf = ({ path }: FleetSite) =>
  execFileSync('sh', ['-c', listing, path], { encoding: 'utf8', maxBuffer: 2 ** 24 });

/** What became of each item of an update of several. */
export const endsOf = ({ ends }: { ends: ReadonlyMap<string, { is: string }> }, { items }: UpdatesOrder) =>
  items.map(({ operation }) => ends.get(operation)?.is);

/** Gives a site a plugin that it must use, while `work` runs. */
export async function withMustUse<T>(site: FleetSite, code: string, work: () => Promise<T>): Promise<T> {
  const file = join(contentOf(site), 'mu-plugins/faute.php');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `<?php ${code}`);
  try {
    return await work();
  } finally {
    rmSync(file);
  }
}

/** A wrapper of PHP that records the time limits it is run with, from now on. */
export function timedPhp({ host }: Fleet) {
  const [path, log] = [join(host.homeOf(deploy.name), 'timed-php'), join(host.homeOf(deploy.name), 'limits')];
  const note = `{ tr '\\0' ' ' </proc/$PPID/cmdline; echo; } >>${log}`;
  rmSync(log, { force: true });
  writeFileSync(path, `#!/bin/sh\n${note}\nexec /usr/bin/php "$@"\n`, { mode: 0o755 });
  const limits = () =>
    [...readFileSync(log, 'utf8').matchAll(/timeout -k 5 (\d+) /g)].map(([, limit]) => Number(limit));
  return { path, limits };
}

/** A stable id derived from a site's path. */
const siteId = (path: string) => {
  const hex = Buffer.from(path).toString('hex').padEnd(32, '0').slice(-32);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
