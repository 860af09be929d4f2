import type { BeforeApplicationShutdown, OnApplicationShutdown } from '@nestjs/common';
import { consoleProtocol, maxConsoleFrameBytes } from '@vigie/contracts/console-frames';
import { endConsole } from '@vigie/contracts/consoles';
import { startConsole } from '@vigie/contracts/shells';
import { AppError } from '@vigie/contracts/errors';
import { sessionsRevoked } from '@vigie/contracts/session-checks';
import type { Kit } from '@vigie/service-kit/bootstrap';
import { type Context, runInContext } from '@vigie/service-kit/context';
import { unavailable } from '@vigie/service-kit/failures';
import type { IncomingMessage } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ConsoleAccess } from './console-admission';
import { ConsoleLink } from './console-link';
import { ConsoleSocket } from './console-socket';
import type { Upgrade } from './upgrades';

const maxSockets = 1_000;
const maxFragments = 64;
const stopMs = 1_000;

/** The WebSockets of this gateway. */
export class ConsoleSockets implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly sockets = new Map<ConsoleSocket, ConsoleAccess>();
  private isStopping = false;
  private readonly server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // Pings are counted before they are answered.
    autoPong: false,
    maxPayload: maxConsoleFrameBytes,
    maxFragments,
    handleProtocols: (offered) => offered.has(consoleProtocol) && consoleProtocol,
  });

  constructor(
    private readonly kit: Pick<Kit, 'bus' | 'keys' | 'envelopes' | 'log'>,
    private readonly nats: Kit['nats'],
  ) {
    kit.bus.subscribe(sessionsRevoked, ({ sids }) => {
      const revoked = new Set(sids);
      for (const [socket, { user }] of this.sockets) if (revoked.has(user.sid)) socket.fail('session_ended');
    });
  }

  /** Checked before a ticket is used up. */
  refuseWhenFull(): void {
    if (this.isStopping || this.sockets.size >= maxSockets) throw unavailable();
  }

  accept(request: IncomingMessage, { socket, head, response }: Upgrade, access: ConsoleAccess, context: Context): void {
    response.detachSocket(socket as Parameters<typeof response.detachSocket>[0]);
    response.statusCode = 101;
    this.server.handleUpgrade(request, socket, head, (ws) => this.serve(ws, socket, access, context));
    // Ends the request for the hooks: the response itself is never written.
    response.emit('close');
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    const sockets = [...this.sockets.keys()];
    for (const socket of sockets) socket.stop();
    if (sockets.length > 0) await new Promise((resolve) => setTimeout(resolve, stopMs));
    for (const socket of sockets) socket.terminate();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.nats.drain();
  }

  private serve(ws: WebSocket, connection: Upgrade['socket'], access: ConsoleAccess, context: Context): void {
    const socket = new ConsoleSocket(ws, access.console, () => this.sockets.delete(socket));
    this.sockets.set(socket, access);
    connection.on('data', (bytes: Buffer) => socket.countBytes(bytes.length));
    if (access.isOver) return socket.fail('gone');
    void runInContext(context, () => this.connect(socket, access, context));
    return undefined;
  }

  private async connect(socket: ConsoleSocket, access: ConsoleAccess, context: Context): Promise<void> {
    const { console: id, size, from, client, isNew } = access;
    try {
      if (isNew) await this.kit.bus.call(startConsole, { id, ...size });
      if (socket.isClosed) return;
      const link = new ConsoleLink(this.kit, this.nats, id, socket);
      socket.connect(link);
      await link.attach({ from, size, client, keeps: socket.keeps }, context);
      if (socket.isClosed) link.close();
    } catch (error) {
      const code = error instanceof AppError && error.code === 'conflict' ? 'gone' : 'unavailable';
      this.kit.log.warn({ err: error, console: id }, 'a console could not be opened');
      socket.fail(code);
    } finally {
      if (socket.mustEnd(isNew)) await this.kit.bus.call(endConsole, { id }).catch(() => undefined);
    }
  }
}
