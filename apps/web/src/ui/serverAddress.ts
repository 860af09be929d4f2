type Address = { host: string; port: number; user: string };

/** A port that is the usual one says nothing; an IPv6 address needs its brackets beside another. */
export const addressOf = ({ host, port, user }: Address): string =>
  `${user}@${port === 22 ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`}`;
