export const partNames = [
  'start',
  'me',
  'login',
  'ssh',
  'health',
  'jobs',
  'console',
  'sites',
  'updates',
  'backups',
  'restore',
  'dns',
  'fleet',
  'load',
  'web',
] as const;
export type PartName = (typeof partNames)[number];
