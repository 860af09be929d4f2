import { findBinary } from './binaries';
import { ownFolder, writeOwnFile } from './server-storage';
import { answers } from './ports';
import { type ServerKind, serverEnv } from './server';

const user = 'vigie';

export const nats: ServerKind = {
  title: 'NATS',
  variable: 'NATS_URL',
  packages: { apt: 'nats-server', brew: 'nats-server' },
  isInstalled: (owner) => findBinary('nats-server', owner) !== undefined,
  prepare: async (storage) => (port) => {
    const pass = storage.passwords.nats;
    const handshake = `CONNECT ${JSON.stringify({ user, pass, verbose: false, pedantic: false })}\r\nPING\r\n`;
    return {
      program: {
        name: 'nats',
        title: 'NATS',
        file: findBinary('nats-server', storage.user) ?? 'nats-server',
        args: ['-c', writeOwnFile(storage, 'nats.conf', configuration(port, pass))],
        cwd: ownFolder(storage, 'nats'),
        env: serverEnv,
        user: storage.user,
      },
      url: `nats://${user}:${pass}@127.0.0.1:${port}`,
      isReady: () => answers({ host: '127.0.0.1', port }, handshake, /\nPONG\r\n/),
    };
  },
};

function configuration(port: number, pass: string): string {
  return `listen: "127.0.0.1:${port}"
authorization { user: "${user}", password: "${pass}" }
`;
}
