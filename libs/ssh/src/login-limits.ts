import { Semaphore, KeyedSemaphores } from './semaphore';
import type { SshTarget } from './target';

/** Limits the logins in progress at one host and port, over all its accounts, and those in all. */
export class LoginLimits {
  private readonly hosts: KeyedSemaphores;
  private readonly all: Semaphore;

  constructor(perHost: number, total: number) {
    this.hosts = new KeyedSemaphores(perHost);
    this.all = new Semaphore(total);
  }

  async acquire({ host, port }: Pick<SshTarget, 'host' | 'port'>, signal: AbortSignal): Promise<() => void> {
    // A login that waits for its host must not occupy a place of another host's login.
    const releaseHost = await this.hosts.acquire(`${host.toLowerCase()}:${port}`, signal);
    try {
      const releaseTotal = await this.all.acquire(signal);
      return () => {
        releaseTotal();
        releaseHost();
      };
    } catch (error) {
      releaseHost();
      throw error;
    }
  }
}
