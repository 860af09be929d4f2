/** Settings whose values are useful and identify nobody; the values of all others are hidden. */
const harmlessSettings = [
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
export const ownVariable = /^(?:PORT|HOST|(?:VIGIE|OTEL|AWS)_[A-Z0-9_]+|(?:DATABASE|REDIS|NATS)_URL(?:_FILE)?)$/;

export const isHarmless = (name: string, value = '') =>
  harmlessSettings.includes(name) && /^[a-z0-9]{1,12}$/.test(value);

/** Describes the environment of this command, which should be the same as Vigie's. */
export function describeSettings(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = Object.keys(env).filter((name) => ownVariable.test(name) && env[name]);
  return Object.fromEntries(
    names.toSorted().map((name) => [name, isHarmless(name, env[name]) ? `${env[name]}` : 'set']),
  );
}
