import type { Program, User } from './child';
import type { ServerStorage } from './server-storage';

export type Server = { program: Program; url: string; isReady(): Promise<boolean> };

export type ServerKind = {
  title: string;
  /** The variable with the address of an external server. */
  variable: 'DATABASE_URL' | 'REDIS_URL' | 'NATS_URL';
  packages: { apt: string; brew: string };
  isInstalled(user: User | undefined): boolean;
  prepare(storage: ServerStorage, durable: boolean): Promise<(port: number) => Server>;
};

/** Private servers get nothing of the operator's environment. */
export const serverEnv = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/opt/homebrew/bin', LC_ALL: 'C' };
