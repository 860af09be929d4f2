import { findBinary } from './binaries';
import { ownFolder, writeOwnFile } from './place';
import { answers } from './ports';
import { type Kind, serverEnv } from './server';

export const redis: Kind = {
  title: 'Redis',
  variable: 'REDIS_URL',
  packages: { apt: 'redis-server', brew: 'redis' },
  isHere: (user) => findBinary('redis-server', user) !== undefined,
  prepare: async (place, durable) => (port) => {
    const password = place.passwords.redis;
    return {
      program: {
        name: 'redis',
        title: 'Redis',
        file: findBinary('redis-server', place.user) ?? 'redis-server',
        args: [writeOwnFile(place, 'redis.conf', configuration(port, password, durable))],
        cwd: ownFolder(place, 'redis'),
        env: serverEnv,
        user: place.user,
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
