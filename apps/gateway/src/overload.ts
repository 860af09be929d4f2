import { AppError } from '@vigie/contracts/errors';

const mostInFlight = 512;
const beatMs = 50;
/** A loop this late answers everybody late; a refusal in a millisecond serves people better. */
const latestMs = 400;
/** One late beat is a machine that slept, or did something else for a moment; a second one is too much work. */
const latestBeats = 2;

/** Knows when this process has more than it can do, and sheds what comes on top. */
export class Overload {
  private inFlight = 0;
  private lateBeats = 0;
  private lastBeat = performance.now();

  constructor() {
    setInterval(() => this.beat(), beatMs).unref();
  }

  /** Throws when the request should not be started. */
  enter(): void {
    if (this.inFlight >= mostInFlight || this.lateBeats >= latestBeats) {
      throw new AppError('unavailable', 'Vigie est momentanément saturée. Réessayez dans quelques secondes.', {
        retryAfter: 2,
      });
    }
    this.inFlight += 1;
  }

  leave(): void {
    this.inFlight -= 1;
  }

  private beat(): void {
    const now = performance.now();
    const lateMs = now - this.lastBeat - beatMs;
    this.lateBeats = lateMs > latestMs ? this.lateBeats + 1 : 0;
    this.lastBeat = now;
  }
}
