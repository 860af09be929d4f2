import { setTimeout as wait } from 'node:timers/promises';
import { Catch, type DynamicModule, Global, Module, type RpcExceptionFilter, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Caller } from '@vigie/contracts/contract';
import { type Observable, throwError } from 'rxjs';
import { Bus } from './bus';
import { BusServer } from './bus-server';
import { Envelopes } from './envelope';
import { KeyRing } from './key-ring';
import { loadKeys } from './keys';
import { LiveKeys } from './live-keys';
import { type Log, makeLog, NestLog } from './log';
import { type MetricsEnv, openMetrics } from './metrics';
import { Probes } from './probes';
import { releaseMemoryAtRest } from './resting-memory';
import { exportSpans } from './traces';

/** A collector that does not answer must not delay the stop. */
const traceFlushMs = 1_000;

type TracesEnv = { OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined; OTEL_EXPORTER_OTLP_HEADERS: string };
export type ProcessEnv = MetricsEnv &
  TracesEnv & {
    VIGIE_KEYS_FILE: string;
    NATS_URL: string;
    VIGIE_LOG_LEVEL: string;
    VIGIE_PROBE_PORT?: number | undefined;
    VIGIE_STOP_SECONDS: number;
  };

/** What every process of the product shares once it is connected. */
export type Kit = {
  app: Caller;
  keys: LiveKeys;
  log: Log;
  nats: NatsConnection;
  envelopes: Envelopes;
  bus: Bus;
  probes: Probes;
  /** Sends the spans that are still buffered. */
  flushTraces: () => Promise<void>;
  /** The process exits after this time, even when its work has not ended. */
  stopMs: number;
};

@Global()
@Module({})
export class KitModule {
  static with({ bus, keys }: Kit): DynamicModule {
    const providers = [
      { provide: Bus, useValue: bus },
      { provide: KeyRing, useValue: new KeyRing(keys) },
    ];
    return { module: KitModule, providers, exports: [Bus, KeyRing] };
  }
}

export async function openKit(app: Caller, env: ProcessEnv): Promise<Kit> {
  const log = makeLog(app, env.VIGIE_LOG_LEVEL);
  const keys = new LiveKeys(env.VIGIE_KEYS_FILE, loadKeys(env.VIGIE_KEYS_FILE, app), log);
  process.on('uncaughtException', (error) => crash(log, error));
  process.on('unhandledRejection', (error) => crash(log, error));
  const probes = new Probes();
  await probes.open(env.VIGIE_PROBE_PORT);
  await openMetrics(app, env, log);
  const flushTraces = await openTraces(app, env, log);
  const nats = await connectNats(env.NATS_URL, app);
  const envelopes = new Envelopes(keys);
  const bus = new Bus(nats, envelopes, keys, log);
  void bus.watch();
  const stopMs = env.VIGIE_STOP_SECONDS * 1_000;
  return { app, keys, log, nats, envelopes, bus, probes, flushTraces, stopMs };
}

async function openTraces(app: Caller, env: TracesEnv, log: Log): Promise<() => Promise<void>> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = env;
  if (endpoint === undefined) return async () => undefined;
  const { OtlpExporter, readHeaders } = await import('./otlp');
  const exporter = new OtlpExporter(app, { endpoint, headers: readHeaders(headers) }, log);
  exportSpans((span) => exporter.add(span));
  return () => exporter.flush();
}

/** Opens a connection that reconnects by itself, any number of times. */
export const connectNats = (urls: string, name: string): Promise<NatsConnection> =>
  connect({
    ...natsServers(urls),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    waitOnFirstConnect: true,
    // Saves two stack traces per call; the log names the subject of a failure.
    noAsyncTraces: true,
    pingInterval: 5_000,
    maxPingOut: 2,
  });

/** The client ignores names and passwords inside addresses, and takes them as separate options. */
export function natsServers(urls: string) {
  const parsed = urls.split(',').map((url) => new URL(url.trim()));
  const servers = parsed.map(({ protocol, host }) => `${protocol}//${host}`);
  // With tls:// the client must refuse a server without TLS before it sends the password.
  const options = { servers, ...(parsed.some(({ protocol }) => protocol === 'tls:') && { tls: {} }) };
  const [first] = parsed;
  if (!first?.username) return options;
  return { ...options, user: decodeURIComponent(first.username), pass: decodeURIComponent(first.password) };
}

/** Starts a service, and refuses to start unless each contract of its controllers has exactly one handler. */
export async function startService(kit: Kit, module: Type | DynamicModule): Promise<void> {
  const strategy = new BusServer(kit.app, kit.nats, kit.envelopes, kit.keys, kit.log);
  const root = { module: Root, imports: [KitModule.with(kit), module] };
  const service = await NestFactory.createMicroservice(root, {
    strategy,
    logger: new NestLog(kit.log),
    abortOnError: false,
  });
  service.useGlobalFilters(new KeepError());
  // No `init` of our own before: Nest would call each module hook twice, and everything would be opened twice.
  await service.listen();
  stopOnSignal(kit, () => service.close());
  await announceReady(kit);
}

/** Stops accepting, drains, closes the modules, then the bus. */
export function stopOnSignal({ log, nats, probes, flushTraces, stopMs }: Kit, close: () => Promise<void>): void {
  let isStopping = false;
  const stop = async (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), stopMs).unref();
    log.info({ reason }, 'stopping');
    probes.stop();
    await close();
    await nats.drain();
    await Promise.race([flushTraces(), wait(traceFlushMs)]);
    process.exit(0);
  };
  const stopNow = (reason: string) => stop(reason).catch((error: unknown) => crash(log, error));
  process.once('SIGTERM', () => void stopNow('SIGTERM'));
  process.once('SIGINT', () => void stopNow('SIGINT'));
  // `npm start` talks to its services by IPC: they must not outlive it, however it ends.
  process.once('disconnect', () => void stopNow('npm start has ended'));
}

export async function announceReady({ log, nats, probes }: Kit): Promise<void> {
  // Callers may ask at once, so the bus must know the subscriptions. After a loss it gets them with the next connection.
  await nats.flush().catch((error: unknown) => log.warn({ err: error }, 'the bus was lost at the start'));
  probes.serve(() => nats.rtt());
  releaseMemoryAtRest(log);
  log.info('ready');
  process.send?.('ready');
}

@Module({})
class Root {}

/** Nest would replace other exceptions by "Internal server error"; the bus server translates errors itself. */
@Catch()
class KeepError implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

function crash(log: Log, error: unknown): never {
  log.fatal({ err: error }, 'crashed');
  process.exit(1);
}
