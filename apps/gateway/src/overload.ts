import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { network } from '@vigie/service-kit/network';
import { FairSlots } from '@vigie/service-kit/fair-slots';
import { Arrivals } from './arrivals';

/** Half of it for one address: behind it may be hundreds of people. */
const maxInFlight = 1_024;
/** Of those who are logged in, half of it for one person. */
const maxOfPeople = 512;
const beatMs = 50;
/** A loop this late answers everybody late; a refusal in a millisecond serves people better. */
const latestMs = 400;
/** One late beat is a machine that slept, or did something else for a moment; a second one is too much work. */
const latestBeats = 2;
/** Whoever comes behind so long a queue would wait for many seconds, if it were not refused as fast as it can be let in. */
const longestAtTheDoorMs = 500;
/** Of a processor: a loop that was late and had less was kept from working by others, whom no refusal here relieves. */
const minShare = 0.2;

/** Knows when this process has more than it can do, or one caller more than its share of it, and sheds what comes on top. */
@Injectable()
export class Overload {
  private readonly arrivals = new Arrivals();
  /** Connections that waited too long before anybody let them in. */
  private readonly late = new WeakSet<object>();
  private readonly addresses = new FairSlots(maxInFlight);
  private readonly people = new FairSlots(maxOfPeople);
  private lateBeats = 0;
  private lastBeat = performance.now();
  private lastWorkMs = workMs();

  constructor() {
    setInterval(() => this.beat(), beatMs).unref();
  }

  /** A connection was let in. */
  meet(socket: object): void {
    this.arrivals.come();
    if (this.isCrowded) this.late.add(socket);
  }

  /** A place for a request, and what gives it back; throws when it should not be started. */
  enter(address: string, socket?: object): () => void {
    if (this.lateBeats >= latestBeats) throw saturated();
    // Once: then it is in, and waits no more than others. Nor is it refused for a queue that is gone.
    if (socket && this.late.delete(socket) && this.isCrowded) throw saturated();
    return orRefuse(this.addresses.take(network(address)));
  }

  /** The same once it is known whose it is: somebody may come from many addresses. */
  enterAs(person: string): () => void {
    return orRefuse(this.people.take(person));
  }

  private get isCrowded(): boolean {
    return this.arrivals.waitingMs > longestAtTheDoorMs;
  }

  private beat(): void {
    const now = performance.now();
    const elapsedMs = now - this.lastBeat;
    const worked = workMs();
    const isOwn = worked - this.lastWorkMs >= minShare * elapsedMs;
    this.lateBeats = elapsedMs - beatMs > latestMs && isOwn ? this.lateBeats + 1 : 0;
    this.lastBeat = now;
    this.lastWorkMs = worked;
  }
}

/** Of all processors, since this process began. */
function workMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function orRefuse(leave: (() => void) | undefined): () => void {
  if (leave) return leave;
  throw saturated();
}

const saturated = () =>
  new AppError('unavailable', 'Vigie est momentanément saturée. Réessayez dans quelques secondes.', { retryAfter: 2 });

export const tooManyRequests = (retryAfter: number) =>
  new AppError('too_many', 'Trop de requêtes. Patientez avant de réessayer.', { retryAfter });
