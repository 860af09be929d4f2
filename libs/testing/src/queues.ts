import { Redis } from 'ioredis';
import type { TestProduct } from './product';
import { testServers } from './servers';

/** The job queues of a product without agents, whose entries stay visible. */
export class TestQueues {
  private readonly redis = new Redis(testServers().redisUrl);
  private readonly prefix: string;

  constructor({ keys }: Pick<TestProduct, 'keys'>) {
    this.prefix = `vigie:${keys['sites-svc'].instance}:jobs`;
  }

  /** Job ids of each waiting entry, oldest first. */
  async waitingIn(name: string): Promise<string[][]> {
    const jobs = await this.redis.lrange(`${this.prefix}:${name}:wait`, 0, -1);
    const datas = await Promise.all(
      jobs.toReversed().map((jobId) => this.redis.hget(`${this.prefix}:${name}:${jobId}`, 'data')),
    );
    return datas.map((data) => (JSON.parse(data ?? '{}') as { ids?: string[] }).ids ?? []);
  }

  async nextIn(name: string): Promise<string | undefined> {
    const [jobId] = await this.redis.lrange(`${this.prefix}:${name}:wait`, -1, -1);
    const data = await this.redis.hget(`${this.prefix}:${name}:${jobId}`, 'data');
    return (JSON.parse(data ?? '{}') as { id?: string }).id;
  }

  async waitingWorkers(name: string): Promise<number> {
    const own = `name=${this.prefix}:${Buffer.from(name).toString('base64')} `;
    const clients = String(await this.redis.client('LIST')).split('\n');
    return clients.filter((client) => client.includes(own)).length;
  }

  async empty(name: string): Promise<void> {
    await this.redis.del(`${this.prefix}:${name}:wait`);
  }

  stop(): void {
    this.redis.disconnect();
  }
}
