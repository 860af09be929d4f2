import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { ConsoleAttach } from '@vigie/contracts/console-frames';
import { claimConsole, consoleOpened, consolesEnding, finishConsole, renewConsoles } from '@vigie/contracts/shells';
import type { ConsoleSize } from '@vigie/contracts/consoles';
import type { Input } from '@vigie/contracts/contract';
import type { SshAccess } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import type { JobError } from '@vigie/contracts/jobs';
import { serversChanged } from '@vigie/contracts/servers';
import { sessionsRevoked } from '@vigie/contracts/session-checks';
import { SealedText } from '@vigie/contracts/text';
import type { Kit } from '@vigie/service-kit/bootstrap';
import { envelopeHeader } from '@vigie/service-kit/bus';
import { attachSealContext, consoleSubjects } from '@vigie/service-kit/console-line';
import { unavailable } from '@vigie/service-kit/failures';
import { unsealWith } from '@vigie/service-kit/live-keys';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { SshFailure } from '@vigie/ssh/failure';
import { z } from 'zod';
import type { Connections } from '../connections';
import { hideSecretInFailure } from '../credentials/hide-secret';
import { Attachment } from './attachment';
import { Shell, type ShellLimits, defaultLimits } from './shell';
import type { ShellEnd } from './troubles';

const maxShells = 500;
const renewEveryMs = 2_000;
const retryMs = 1_000;
const stopMs = 3_000;

/** The message with which a gateway attaches to a console. */
const AttachRequest = z.object({ attach: z.uuid(), sealed: SealedText });

type Message = Parameters<NonNullable<NonNullable<Parameters<Kit['nats']['subscribe']>[1]>['callback']>>[1];

type OpenConsole = {
  shell: Shell;
  subscription: ReturnType<Kit['nats']['subscribe']>;
  attachment: { id: string; line: Attachment } | undefined;
  version: number;
  /** Connects to the host, once a client is there to read the result. */
  connect: (() => Promise<void>) | undefined;
  /** Ends a console that no client has attached to, since its access grows old. */
  timer: NodeJS.Timeout;
};

/** The consoles whose shells run in this agent. */
export class Consoles implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly agent = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  private readonly consoles = new Map<string, OpenConsole>();
  private readonly finishing = new Set<Promise<void>>();
  private readonly renewals: RepeatingTask;
  private isStopping = false;

  constructor(
    private readonly kit: Pick<Kit, 'bus' | 'log' | 'keys' | 'envelopes'>,
    private readonly nats: Kit['nats'],
    private readonly connections: Connections,
    private readonly limits: ShellLimits = defaultLimits,
  ) {
    this.renewals = new RepeatingTask(kit.log, 'consoles could not be renewed', () => this.renew());
  }

  onApplicationBootstrap(): void {
    const { bus } = this.kit;
    this.renewals.start(renewEveryMs);
    bus.subscribe(serversChanged, () => void this.renewals.runNow());
    bus.subscribe(consolesEnding, ({ ids }) => {
      for (const id of ids) this.consoles.get(id)?.shell.end({ reason: 'closed', failure: null });
    });
    bus.subscribe(sessionsRevoked, ({ sids }) => {
      const revoked = new Set(sids);
      for (const { shell } of this.consoles.values()) {
        if (revoked.has(shell.sid)) shell.end({ reason: 'session_ended', failure: null });
      }
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    this.renewals.stop();
    for (const { shell } of this.consoles.values()) shell.end({ reason: 'agent_stopped', failure: null });
    await Promise.race([Promise.all(this.finishing), wait(stopMs)]);
    await this.nats.drain();
  }

  /** Takes a console over from the ledger: from here on it belongs to this agent. */
  async start({ id, ...size }: ConsoleSize & { id: string }): Promise<void> {
    if (this.isStopping || this.consoles.size >= maxShells || this.consoles.has(id)) throw unavailable();
    const claimed = await this.kit.bus.call(claimConsole, { id, agent: this.agent, for_sites: true });
    const { access, user_id: userId, sid, folder, is_shared: isShared } = claimed;
    const onEnd = (end: ShellEnd) => this.release(id, end);
    const shell = new Shell({ id, userId, sid, folder, isShared }, size, this.limits, {
      onEnd,
      onAttachmentChange: () => void this.renewals.runNow(),
    });
    const subjects = consoleSubjects(this.kit.keys, id);
    const callback = (_error: Error | null, message: Message) => void this.receive(openConsole, message);
    const subscription = this.nats.subscribe(subjects.all, { callback });
    const connect = () => this.open(shell, access);
    const closeUnused = () => openConsole.connect && shell.end({ reason: 'closed', failure: null });
    const timer = setTimeout(closeUnused, this.limits.beginMs);
    const openConsole: OpenConsole = {
      shell,
      subscription,
      attachment: undefined,
      version: access.version,
      connect,
      timer,
    };
    this.consoles.set(id, openConsole);
    await this.nats.flush();
  }

  private async open(shell: Shell, access: SshAccess): Promise<void> {
    try {
      const target = await this.connections.targetOf(access);
      const admit = async (hostKey: string) => {
        const opened = { id: shell.id, agent: this.agent, version: access.version, host_key: hostKey };
        await this.kit.bus.call(consoleOpened, opened);
      };
      await shell.open(target, admit).catch((error: unknown) => {
        throw error instanceof SshFailure ? hideSecretInFailure(error, target) : error;
      });
    } catch (error) {
      if (error instanceof SshFailure) return shell.fail(error);
      if (!(error instanceof AppError))
        this.kit.log.error({ err: error, console: shell.id }, 'a console failed with an internal error');
      return shell.end({ reason: 'ssh', failure: failureOf(error) });
    }
  }

  private async receive(openConsole: OpenConsole, message: Message): Promise<void> {
    const { id } = openConsole.shell;
    const subjects = consoleSubjects(this.kit.keys, id);
    try {
      if (message.subject === subjects.attach) return await this.attach(openConsole, message);
      const { attachment } = openConsole;
      if (!attachment || message.subject !== subjects.in(attachment.id)) return;
      // The empty response tells the gateway that the console is still here.
      message.respond();
      attachment.line.receiveSealed(message.data);
    } catch (error) {
      this.kit.log.warn({ err: error, console: id }, 'a frame or an attach was refused');
    }
  }

  private async attach(openConsole: OpenConsole, message: Message): Promise<void> {
    const { shell } = openConsole;
    const { signed, out } = consoleSubjects(this.kit.keys, shell.id);
    const envelope = message.headers?.get(envelopeHeader) ?? '';
    const { user } = this.kit.envelopes.verifyOnce(envelope, signed, message.data, ['gateway']);
    if (user?.sub !== shell.userId) throw new Error('somebody else’s console');
    const { attach, sealed } = AttachRequest.parse(message.json());
    const sealContext = attachSealContext(shell.id, attach);
    const request = ConsoleAttach.parse(JSON.parse(await unsealWith(this.kit.keys, sealed, sealContext)));
    if (shell.isOver) return;
    shell.sid = user.sid;
    const publish = (frame: Buffer) => this.nats.publish(out(attach), frame);
    const isCurrent = () => shell.owns(line);
    const line: Attachment = new Attachment(
      { ...request, sealContext, publish },
      {
        write: (bytes) => isCurrent() && shell.write(bytes),
        receive: (frame) => shell.receive(line, frame),
        reportLoss: () => isCurrent() && shell.detachAfterLoss(line),
      },
    );
    openConsole.attachment = { id: attach, line };
    message.respond();
    shell.attach(line);
    void openConsole.connect?.();
    openConsole.connect = undefined;
  }

  /** Renews the leases of the consoles, and ends those that the ledger has ended. */
  private async renew(): Promise<void> {
    if (this.consoles.size === 0) return;
    for (const { shell } of this.consoles.values()) shell.detachIfSilent();
    const consoles = [...this.consoles.values()].map(({ shell }) => {
      return { ...byteCountsOf(shell), is_attached: shell.isAttached, sid: shell.sid };
    });
    const { over } = await this.kit.bus.call(renewConsoles, { agent: this.agent, held: consoles });
    const sids = new Map(consoles.map(({ id, sid }) => [id, sid]));
    for (const { id, reason } of over) {
      const shell = this.consoles.get(id)?.shell;
      // Another session has attached since this report; the next one is about that session.
      if (reason !== 'session_ended' || shell?.sid === sids.get(id)) shell?.end({ reason, failure: null });
    }
  }

  private release(id: string, { reason, failure }: ShellEnd): void {
    const openConsole = this.consoles.get(id);
    if (!openConsole) return;
    this.consoles.delete(id);
    clearTimeout(openConsole.timer);
    openConsole.subscription.unsubscribe();
    const version = reason === 'ssh' ? openConsole.version : null;
    const finished = this.finish({ ...byteCountsOf(openConsole.shell), agent: this.agent, reason, version, failure });
    this.finishing.add(finished);
    void finished.finally(() => this.finishing.delete(finished));
  }

  /** Repeats the end until the ledger has it, for about as long as a lease lasts. */
  private async finish(ending: Input<typeof finishConsole>): Promise<void> {
    for (let tries = 0; tries < 20; tries += 1) {
      try {
        await this.kit.bus.call(finishConsole, ending);
        return;
      } catch (error) {
        this.kit.log.warn({ err: error, console: ending.id }, 'the end of a console could not be reported');
        if (error instanceof AppError && error.code !== 'unavailable') return;
        await wait(retryMs);
      }
    }
  }
}

const byteCountsOf = ({ id, bytesIn, bytesOut }: Shell) => ({ id, bytes_in: bytesIn, bytes_out: bytesOut });

function failureOf(error: unknown): JobError {
  if (!(error instanceof AppError)) return { message: 'Une erreur interne a empêché l’ouverture de cette console.' };
  if (typeof error.detail === 'string') return { message: error.detail, code: error.code };
  return error.detail;
}
