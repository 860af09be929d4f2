/** The real servers that `npm test` starts for the medium tests. */
export function testServers() {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, NATS_URL: natsUrl } = process.env;
  if (!databaseUrl || !redisUrl || !natsUrl) throw new Error('run the medium tests by `npm test -- medium`');
  return { databaseUrl, redisUrl, natsUrl };
}
