import { Gate, Gates } from './gate';
import type { SshTarget } from './target';

/** Lets in who logs in: few at one host and port, under however many accounts, and not too many in all. */
export class LoginLimits {
  private readonly each: Gates;
  private readonly all: Gate;

  constructor(ofOne: number, ofAll: number) {
    this.each = new Gates(ofOne);
    this.all = new Gate(ofAll);
  }

  async enter({ host, port }: Pick<SshTarget, 'host' | 'port'>, signal: AbortSignal): Promise<() => void> {
    // Who waits for their turn at one host keeps nobody from another.
    const leaveOne = await this.each.enter(`${host.toLowerCase()}:${port}`, signal);
    try {
      const leaveAll = await this.all.enter(signal);
      return () => {
        leaveAll();
        leaveOne();
      };
    } catch (error) {
      leaveOne();
      throw error;
    }
  }
}
