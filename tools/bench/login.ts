import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal, fr } from '../terminal';
import { addAccounts, addressOf, numberOfAccount } from './accounts';
import { type Guesses, type Target, timeGuesses } from './guesses';
import { type Load, type Measured, checked, loadWith, medianOf } from './url-loads';
import { type Reads, atOnce, readRate, reportLogin } from './login-report';
import { administrator, logIn } from './product';
import { startProgram } from './programs';
import { setStage } from './stage';
import type { Workbench } from './workbench';

const connections = 32;
const { password } = administrator;
/** More than a minute of guesses can use. */
const accounts = 8_000;

/** Each connection logs in to an account of its own: people do not queue for one row. */
const bodies = Array.from({ length: connections }, (_, index) =>
  JSON.stringify({ email: addressOf(numberOfAccount(index)), password }),
);

type Way = { bench: Workbench; targets: readonly Target[]; hash: string; isQuick: boolean };

/** Logins a second, reads meanwhile, and whether a refusal tells by its time that there is an account. */
export async function benchLogin(bench: Workbench, isQuick: boolean): Promise<void> {
  const { servers, product } = await setStage(bench, 'login', { VIGIE_TRUSTED_HOPS: '1' });
  const fastify = await startProgram(bench, 'fastify', { DATABASE_URL: servers.databaseUrl });
  const targets: Target[] = [
    { name: 'Fastify nu', address: String(fastify.message) },
    { name: 'Vigie', address: product.address },
  ];
  bench.step(fr`crée ${accounts} comptes`);
  const hash = await addAccounts(servers.databaseUrl, accounts);
  const way = { bench, targets, hash, isQuick };
  await checkLogins(targets);
  const full = await measureFull(way);
  const reads = await measureReads(way, await logIn(product.address));
  reportLogin(targets, { hash, ...full, reads, guesses: await measureGuesses(way) });
  for (const { stop } of [fastify, product, servers]) await stop();
}

/** They must give the same user, and a session that the product takes, before it counts who does it faster. */
async function checkLogins(targets: readonly Target[]): Promise<void> {
  const own = targets.at(-1)?.address ?? '';
  const users = await Promise.all(
    targets.map(async ({ address }) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${address}/api/auth/login`, { method: 'POST', headers, body: bodies[0] ?? '' });
      const { user, access_token: token } = JSON.parse(await answer.text());
      const me = await fetch(`${own}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } });
      return [answer.status, JSON.stringify(user), me.status, await me.text()].join(' ');
    }),
  );
  if (new Set(users).size > 1 || !/^200 .* 200 /.test(users[0] ?? ''))
    throw new Error(`the logins differ:\n${users.join('\n')}`);
}

const loginsTo = ({ address }: Target, seconds: number): Load => ({
  url: `${address}/api/auth/login`,
  sent: { bodies },
  connections,
  seconds,
  pace: 'full',
});

/** The logins that a load leaves unanswered at its end are still hashed for a moment. */
const settle = () => sleep(1_000);

async function measureFull({ bench, targets, hash, isQuick }: Way) {
  const [rounds, seconds] = isQuick ? [1, 3] : [3, 6];
  bench.step(fr`met en température`);
  for (const target of targets) await loadWith(bench, loginsTo(target, isQuick ? 1 : 3)).then(settle);
  const alone: Measured[] = [];
  const full: Measured[][] = targets.map(() => []);
  for (let round = 0; round < rounds; round++) {
    bench.step(fr`à pleine charge, tour ${round + 1} sur ${rounds}`);
    const work = JSON.stringify({ hash, password, seconds, atOnce });
    const { message, running } = await startProgram(bench, 'hashes', { VIGIE_BENCH_HASHES: work });
    await running.exited;
    alone.push(checked('Argon2id', message as Measured));
    for (const [index, target] of targets.entries()) {
      full[index]?.push(checked(target.name, await loadWith(bench, loginsTo(target, seconds))));
      await settle();
    }
  }
  return { alone: medianOf(alone), full: full.map(medianOf) };
}

async function measureReads({ bench, targets, isQuick }: Way, token: string): Promise<Reads[]> {
  const seconds = isQuick ? 4 : 15;
  const measured: Reads[] = [];
  for (const target of targets) {
    const { name, address } = target;
    bench.step(fr`lectures pendant des connexions, ${name}`);
    const pace = { rate: readRate, isSalvo: false };
    const reads: Load = { url: `${address}/api/auth/me`, sent: { token }, connections, seconds, pace };
    const alone = checked(name, await loadWith(bench, reads));
    measured.push({ alone, ...(await readDuring(bench, target, reads)) });
    await settle();
  }
  return measured;
}

/** The logins begin before the reads and end after them, or there is no figure. */
async function readDuring(bench: Workbench, target: Target, reads: Load): Promise<Omit<Reads, 'alone'>> {
  let haveLoginsEnded = false;
  const logins = loadWith(bench, loginsTo(target, reads.seconds + 5)).finally(() => (haveLoginsEnded = true));
  const during = settle()
    .then(() => loadWith(bench, reads))
    .then((measured) => {
      if (haveLoginsEnded) throw new Refusal(fr`${target.name} : les lectures ont duré plus que les connexions.`);
      return measured;
    });
  const [read, loggedIn] = await Promise.all([during, logins]);
  return { during: checked(target.name, read), logins: checked(target.name, loggedIn) };
}

async function measureGuesses({ bench, targets, isQuick }: Way): Promise<Guesses[]> {
  const measured: Guesses[] = [];
  // Not the accounts that logged in: their rows were written over and over.
  for (const target of targets) {
    bench.step(fr`refus avec et sans compte, ${target.name}`);
    measured.push(await timeGuesses(target, connections, isQuick ? 3 : 30));
  }
  return measured;
}
