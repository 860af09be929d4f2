export type Address = { host: string; port: number; user: string };

/** Port 22 is left out; an IPv6 address before a port needs brackets. */
export const addressOf = ({ host, port, user }: Address): string =>
  `${user}@${port === 22 ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`}`;
