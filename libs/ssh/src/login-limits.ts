import { Gate, Gates } from './gate';
import type { SshTarget } from './target';

/** Limits the logins in progress at one host and port, over all its accounts, and those in all. */
export class LoginLimits {
  private readonly each: Gates;
  private readonly all: Gate;

  constructor(ofOne: number, ofAll: number) {
    this.each = new Gates(ofOne);
    this.all = new Gate(ofAll);
  }

  async enter({ host, port }: Pick<SshTarget, 'host' | 'port'>, signal: AbortSignal): Promise<() => void> {
    // A login that waits for its host must not occupy a place of another host's login.
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
