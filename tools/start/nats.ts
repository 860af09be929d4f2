import { findBinary } from './binaries';
import { ownFolder, writeOwnFile } from './place';
import { answers } from './ports';
import { type Kind, serverEnv } from './server';

const user = 'vigie';

export const nats: Kind = {
  title: 'NATS',
  variable: 'NATS_URL',
  packages: { apt: 'nats-server', brew: 'nats-server' },
  isHere: (owner) => findBinary('nats-server', owner) !== undefined,
  prepare: async (place) => (port) => {
    const pass = place.passwords.nats;
    const hello = `CONNECT ${JSON.stringify({ user, pass, verbose: false, pedantic: false })}\r\nPING\r\n`;
    return {
      program: {
        name: 'nats',
        title: 'NATS',
        file: findBinary('nats-server', place.user) ?? 'nats-server',
        args: ['-c', writeOwnFile(place, 'nats.conf', configuration(port, pass))],
        cwd: ownFolder(place, 'nats'),
        env: serverEnv,
        user: place.user,
      },
      url: `nats://${user}:${pass}@127.0.0.1:${port}`,
      isReady: () => answers({ host: '127.0.0.1', port }, hello, /\nPONG\r\n/),
    };
  },
};

function configuration(port: number, pass: string): string {
  return `listen: "127.0.0.1:${port}"
authorization { user: "${user}", password: "${pass}" }
`;
}
