import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { network } from '@vigie/service-kit/network';
import { FairSlots } from '@vigie/service-kit/fair-slots';
import { AcceptQueue } from './accept-queue';

/** Requests in flight. One address may have half of them, since hundreds of people may share it. */
const maxInFlight = 1_024;
/** Requests in flight of logged-in users, one of whom may have half. */
const maxInFlightOfUsers = 512;
const beatMs = 50;
/** An event loop this late answers everybody late: a refusal in a millisecond serves users better. */
const maxLateMs = 400;
/** One late beat may be a machine that slept; a second one in a row is too much work. */
const maxLateBeats = 2;
/** Behind a longer accept queue a client would wait for seconds, so it is refused as soon as it is accepted. */
const maxQueueMs = 500;
/**
 * Share of one processor. An event loop that is late although it used less was starved by other processes, and refusals
 * would not help.
 */
const minCpuShare = 0.2;

/** Admits requests, and refuses those that this process cannot serve, or that exceed the share of one caller. */
@Injectable()
export class Admission {
  private readonly acceptQueue = new AcceptQueue();
  /** Connections that waited too long in the accept queue. */
  private readonly queuedTooLong = new WeakSet<object>();
  private readonly addresses = new FairSlots(maxInFlight);
  private readonly users = new FairSlots(maxInFlightOfUsers);
  private lateBeats = 0;
  private lastBeat = performance.now();
  private lastCpuMs = cpuMs();

  constructor() {
    setInterval(() => this.beat(), beatMs).unref();
  }

  /** Notes a connection that was accepted. */
  noteConnection(socket: object): void {
    this.acceptQueue.noteAccepted();
    if (this.isQueueLong) this.queuedTooLong.add(socket);
  }

  /** Takes a slot for a request and returns its release; throws when the request must be refused. */
  admit(address: string, socket?: object): () => void {
    if (this.lateBeats >= maxLateBeats) throw saturated();
    // A connection is refused only once, and only while the queue is still long.
    if (socket && this.queuedTooLong.delete(socket) && this.isQueueLong) throw saturated();
    return orSaturated(this.addresses.acquire(network(address)));
  }

  /** Takes a slot for a user, who may come from many addresses. */
  admitUser(userId: string): () => void {
    return orSaturated(this.users.acquire(userId));
  }

  private get isQueueLong(): boolean {
    return this.acceptQueue.waitingMs > maxQueueMs;
  }

  private beat(): void {
    const now = performance.now();
    const elapsedMs = now - this.lastBeat;
    const cpuNow = cpuMs();
    const isOwnWork = cpuNow - this.lastCpuMs >= minCpuShare * elapsedMs;
    this.lateBeats = elapsedMs - beatMs > maxLateMs && isOwnWork ? this.lateBeats + 1 : 0;
    this.lastBeat = now;
    this.lastCpuMs = cpuNow;
  }
}

/** Processor time of this process since its start. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function orSaturated(release: (() => void) | undefined): () => void {
  if (release) return release;
  throw saturated();
}

const saturated = () =>
  new AppError('unavailable', 'Vigie est momentanément saturée. Réessayez dans quelques secondes.', { retryAfter: 2 });

export const tooManyRequests = (retryAfter: number) =>
  new AppError('too_many', 'Trop de requêtes. Patientez avant de réessayer.', { retryAfter });
