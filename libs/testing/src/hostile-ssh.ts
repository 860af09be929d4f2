import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server as TcpServer, type Socket } from 'node:net';
import ssh2, { type AuthContext, type Connection as ServerConnection, type Server, type ServerChannel } from 'ssh2';

/** A TCP server that hands each connection to the test and destroys all of them when it closes. */
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

  /** Ends all connections and continues to listen. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** Forwards that many bytes of a real server to a client, then cuts the connection or hangs. */
export function cutRelay(port: number, maxBytes: number, end: 'cut' | 'hang'): Promise<RawServer> {
  return RawServer.start((socket) => {
    const upstream = connect({ port, host: '127.0.0.1', noDelay: true });
    let remaining = maxBytes;
    socket.on('data', (bytes) => upstream.write(bytes)).on('close', () => upstream.destroy());
    upstream.on('error', () => socket.destroy()).on('close', () => end === 'cut' && socket.destroy());
    upstream.on('data', (bytes) => {
      if (remaining > 0) socket.write(bytes.subarray(0, remaining));
      remaining -= bytes.length;
      if (remaining <= 0 && end === 'cut') socket.end(() => socket.destroy());
    });
  });
}

/** Answers a script with this output, framed by the word of its first input line. */
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
  banner?: string;
  /** Accepts every login by default. */
  authenticate?: (context: AuthContext) => void;
  /** Receives each requested command before it is accepted. */
  exec?: (accept: () => ServerChannel, command: string, reject: () => void) => void;
  shell?: (channel: ServerChannel) => void;
  /** False leaves requests for a session unanswered. */
  opens?: boolean;
  packetSize?: number;
};

/** Generates keys until ssh2 can parse one, which fails for one key in some hundreds. */
function hostKey(): string {
  const { private: key } = ssh2.utils.generateKeyPairSync('ed25519');
  return ssh2.utils.parseKey(key) instanceof Error ? hostKey() : key;
}

type Confirm = (remote: number, local: number, window: number, packetSize: number) => void;

function confirmWithPacketSize(client: ServerConnection, packetSize: number): void {
  const { _protocol: protocol } = client as unknown as { _protocol: { channelOpenConfirm: Confirm } };
  const confirm = protocol.channelOpenConfirm.bind(protocol);
  protocol.channelOpenConfirm = (remote, local, window) => confirm(remote, local, window, packetSize);
}

/** An SSH server in this process that misbehaves as the test wants. */
export class FakeSsh {
  /** Authentication methods that were tried, in order. */
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
        if (behaviour.packetSize !== undefined) confirmWithPacketSize(client, behaviour.packetSize);
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
