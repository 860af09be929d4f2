import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server as TcpServer, type Socket } from 'node:net';
import ssh2, { type AuthContext, type Connection as ServerConnection, type Server, type ServerChannel } from 'ssh2';

/** A TCP server that does what a test wants with each connection, and forgets them all when it closes. */
export class RawServer {
  connections = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server: TcpServer;

  private constructor(serve: (socket: Socket) => void) {
    this.server = createServer((socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket
        .setNoDelay(true)
        .on('error', () => undefined)
        .on('close', () => this.sockets.delete(socket));
      serve(socket);
    });
  }

  static async start(serve: (socket: Socket) => void): Promise<RawServer> {
    const raw = new RawServer(serve);
    await once(raw.server.listen(0, '127.0.0.1'), 'listening');
    return raw;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Ends what is connected, and goes on listening. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Between a client and a real server: lets that many bytes of the server through, then cuts or hangs for ever. */
export function relay(port: number, after: number, end: 'cut' | 'hang'): Promise<RawServer> {
  return RawServer.start((socket) => {
    const far = connect({ port, host: '127.0.0.1', noDelay: true });
    let left = after;
    socket.on('data', (bytes) => far.write(bytes)).on('close', () => far.destroy());
    far.on('error', () => socket.destroy()).on('close', () => end === 'cut' && socket.destroy());
    far.on('data', (bytes) => {
      if (left > 0) socket.write(bytes.subarray(0, left));
      left -= bytes.length;
      if (left <= 0 && end === 'cut') socket.end(() => socket.destroy());
    });
  });
}

/** Answers a script as if it had printed this: its first line is the word that encloses its output. */
export function printing(
  output: string | ((word: string) => string | Buffer),
  error = '',
  code: number | 'hangs' = 0,
): Behaviour['exec'] {
  return (accept) => {
    const channel = accept();
    channel.once('data', (input: Buffer) => {
      const [word = ''] = input.toString().split('\n');
      channel.stderr.write(error);
      channel.write(`\n${word}\n`);
      channel.write(typeof output === 'string' ? output : output(word));
      if (code === 'hangs') return;
      channel.write(`\n${word} ${code}\n`);
      channel.exit(code);
      channel.end();
    });
    channel.resume();
  };
}

type Behaviour = {
  /** Said to whoever is about to log in. */
  banner?: string;
  /** Says yes to everything by default. */
  authenticate?: (context: AuthContext) => void;
  /** Is given each command as it is requested, before it is accepted. */
  exec?: (accept: () => ServerChannel, command: string, reject: () => void) => void;
  /** Is given each login shell. */
  shell?: (channel: ServerChannel) => void;
  /** False: the request for a session is left without an answer. */
  opens?: boolean;
  /** The largest packet that it says it takes. */
  packetSize?: number;
};

/** One in some hundreds of the keys that ssh2 makes cannot be read by ssh2. */
function hostKey(): string {
  const { private: key } = ssh2.utils.generateKeyPairSync('ed25519');
  return ssh2.utils.parseKey(key) instanceof Error ? hostKey() : key;
}

type Confirm = (remote: number, local: number, window: number, packetSize: number) => void;

function confirmWith(client: ServerConnection, packetSize: number): void {
  const { _protocol: protocol } = client as unknown as { _protocol: { channelOpenConfirm: Confirm } };
  const confirm = protocol.channelOpenConfirm.bind(protocol);
  protocol.channelOpenConfirm = (remote, local, window) => confirm(remote, local, window, packetSize);
}

/** An SSH server in this process that follows the protocol as far as the test wants. */
export class FakeSsh {
  /** The methods that were tried, in their order. */
  readonly attempts: string[] = [];
  private readonly server: Server;
  private readonly ends = new Set<() => void>();

  private constructor(behaviour: Behaviour) {
    const { authenticate = (context) => context.accept(), banner = '', exec, shell, opens = true } = behaviour;
    this.server = new ssh2.Server({ hostKeys: [hostKey()], banner }, (client) => {
      this.ends.add(() => client.end());
      client.on('error', () => undefined);
      client.on('authentication', (context) => {
        this.attempts.push(context.method);
        authenticate(context);
      });
      client.on('session', (accept) => {
        if (!opens) return;
        if (behaviour.packetSize !== undefined) confirmWith(client, behaviour.packetSize);
        accept()
          .on('exec', (accepted, refuse, { command }) => exec?.(accepted, command, refuse))
          .on('pty', (accepted) => accepted())
          .on('shell', (accepted) => shell?.(accepted()));
      });
    });
  }

  static async start(behaviour: Behaviour = {}): Promise<FakeSsh> {
    const fake = new FakeSsh(behaviour);
    await new Promise<void>((resolve) => fake.server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const end of this.ends) end();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
