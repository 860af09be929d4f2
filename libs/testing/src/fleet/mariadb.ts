import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Daemons } from './daemons';
import { database, run, runOnHost } from './machine';

/** A private MariaDB: root connects by its socket, users with a password by a local port. */
export class MariaDb {
  readonly socket: string;

  constructor(
    private readonly folder: string,
    readonly port: number,
  ) {
    this.socket = join(folder, 'run/mariadb.sock');
  }

  /** Creates an empty data folder, to be copied, because a copy is much faster. */
  static async make(data: string): Promise<void> {
    mkdirSync(data, { recursive: true });
    chownSync(data, database.uid, database.gid);
    // A starting server removes all temporary tables of its tmpdir, so it must not be shared.
    const privateTmp = mkdtempSync(join(tmpdir(), 'vigie-mariadb-'));
    chownSync(privateTmp, database.uid, database.gid);
    const options = ['--no-defaults', `--datadir=${data}`, `--tmpdir=${privateTmp}`, '--skip-test-db', ...smallOptions];
    const root = ['--auth-root-authentication-method=socket', '--auth-root-socket-user=root'];
    try {
      await runOnHost('mariadb-install-db', [...options, ...root], { as: database });
    } finally {
      rmSync(privateTmp, { recursive: true });
    }
  }

  async start(daemons: Daemons, empty: string): Promise<void> {
    const data = join(this.folder, 'mariadb');
    if (!existsSync(data)) await run('cp', ['-a', empty, data]);
    mkdirSync(dirname(this.socket), { recursive: true });
    chownSync(dirname(this.socket), database.uid, database.gid);
    const options = [
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${this.socket}`,
      `--tmpdir=${dirname(this.socket)}`,
      `--port=${this.port}`,
      '--bind-address=127.0.0.1',
      '--character-set-server=utf8mb4',
      '--skip-name-resolve',
      '--sql-mode=NO_ENGINE_SUBSTITUTION',
      '--event-scheduler=ON',
      ...smallOptions,
    ];
    await daemons.start('mariadb', this.socket, ['mariadbd', ...options], database);
  }

  /** Runs statements and returns rows with tabs between columns. */
  query(sql: string, name = ''): Promise<string> {
    const options = ['--no-defaults', `--socket=${this.socket}`, '--batch', '--skip-column-names', '--binary-mode'];
    return runOnHost('mariadb', [...options, '--default-character-set=utf8mb4', ...(name === '' ? [] : [name])], {
      input: sql,
    });
  }

  dump(name: string): Promise<string> {
    const options = [
      '--no-defaults',
      `--socket=${this.socket}`,
      '--skip-comments',
      '--skip-dump-date',
      '--skip-tz-utc',
    ];
    return runOnHost('mariadb-dump', [...options, name]);
  }
}

/** Options for little memory and disk, without durability, which tests do not need. */
const smallOptions = [
  '--innodb-buffer-pool-size=32M',
  '--innodb-log-file-size=8M',
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-flush-method=nosync',
  '--innodb-doublewrite=0',
  '--aria-pagecache-buffer-size=8M',
  '--key-buffer-size=1M',
  '--max-connections=60',
  '--performance-schema=OFF',
];
