/** What is worth a look and says nothing of anybody; of all others it is told that they are set, never to what. */
const told = [
  'PORT',
  'VIGIE_ALLOW_SIGNUP',
  'VIGIE_DNS_LOOK_SECONDS',
  'VIGIE_HEALTH_SECONDS',
  'VIGIE_INSPECT_SECONDS',
  'VIGIE_LOG_LEVEL',
  'VIGIE_METRICS_PORT',
  'VIGIE_RECONCILE_SECONDS',
  'VIGIE_REQUESTS_PER_MINUTE',
  'VIGIE_SCAN_SECONDS',
  'VIGIE_STOP_SECONDS',
  'VIGIE_TRUSTED_HOPS',
  'VIGIE_UPLOADS_MEGABYTES',
  'VIGIE_VISIT_SECONDS',
];
export const ours = /^(?:PORT|HOST|(?:VIGIE|OTEL|AWS)_[A-Z0-9_]+|(?:DATABASE|REDIS|NATS)_URL(?:_FILE)?)$/;

export const isTold = (name: string, value = '') => told.includes(name) && /^[a-z0-9]{1,12}$/.test(value);

/** The environment of this command, which is that of Vigie where both were typed alike. */
export function tellSettings(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = Object.keys(env).filter((name) => ours.test(name) && env[name]);
  return Object.fromEntries(names.toSorted().map((name) => [name, isTold(name, env[name]) ? `${env[name]}` : 'set']));
}
