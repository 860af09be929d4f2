/** Private and loopback ranges, which the Internet does not route. */
export const privateRanges = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
  'fec0::/10',
] as const;

/** Link-local and unspecified ranges. */
export const linkLocalRanges = ['0.0.0.0/8', '169.254.0.0/16', '::/128', 'fe80::/10'] as const;
