import { findBinary } from './binaries';
import { ownFolder, writeOwnFile } from './server-storage';
import { answers } from './ports';
import { type ServerKind, serverEnv } from './server';

export const redis: ServerKind = {
  title: 'Redis',
  variable: 'REDIS_URL',
  packages: { apt: 'redis-server', brew: 'redis' },
  isInstalled: (user) => findBinary('redis-server', user) !== undefined,
  prepare: async (storage, durable) => (port) => {
    const password = storage.passwords.redis;
    return {
      program: {
        name: 'redis',
        title: 'Redis',
        file: findBinary('redis-server', storage.user) ?? 'redis-server',
        args: [writeOwnFile(storage, 'redis.conf', configuration(port, password, durable))],
        cwd: ownFolder(storage, 'redis'),
        env: serverEnv,
        user: storage.user,
      },
      url: `redis://:${password}@127.0.0.1:${port}`,
      isReady: () => answers({ host: '127.0.0.1', port }, `AUTH ${password}\r\nPING\r\nQUIT\r\n`, /^\+OK\r\n\+PONG/),
    };
  },
};

function configuration(port: number, password: string, durable: boolean): string {
  return `bind 127.0.0.1
port ${port}
requirepass ${password}
daemonize no
appendonly yes
appendfsync ${durable ? 'everysec' : 'no'}
save ""
maxmemory-policy noeviction
`;
}
