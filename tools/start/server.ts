import type { Program, User } from './child';
import type { Place } from './place';

/** A private server as it will run on one port. */
export type Server = { program: Program; url: string; isReady(): Promise<boolean> };

export type Kind = {
  title: string;
  /** The variable that names one to use instead. */
  variable: 'DATABASE_URL' | 'REDIS_URL' | 'NATS_URL';
  packages: { apt: string; brew: string };
  isHere(user: User | undefined): boolean;
  prepare(place: Place, durable: boolean): Promise<(port: number) => Server>;
};

/** Of the operator's environment nothing concerns a server. */
export const serverEnv = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:/opt/homebrew/bin', LC_ALL: 'C' };
