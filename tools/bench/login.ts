import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal, fr } from '../terminal';
import { addAccounts, emailAddress, accountNumber } from './accounts';
import { type Guesses, type Target, measureGuesses } from './guesses';
import { type Load, type Measured, requireClean, runLoad, medianFigures } from './url-loads';
import { type Reads, atOnce, readRate, reportLogin } from './login-report';
import { administrator, logIn } from './product';
import { startProgram } from './programs';
import { setStage } from './stage';
import type { Workbench } from './workbench';

const connections = 32;
const { password } = administrator;
/** More accounts than a minute of attempts can use. */
const accounts = 8_000;

/** Each connection uses its own account, so that logins do not wait for the lock of one row. */
const bodies = Array.from({ length: connections }, (_, index) =>
  JSON.stringify({ email: emailAddress(accountNumber(index)), password }),
);

type LoginBench = { bench: Workbench; targets: readonly Target[]; hash: string; isQuick: boolean };

/** Measures logins per second, reads during logins, and whether the time of a refusal reveals an account. */
export async function benchLogin(bench: Workbench, isQuick: boolean): Promise<void> {
  const { servers, product } = await setStage(bench, 'login', { VIGIE_TRUSTED_HOPS: '1' });
  const fastify = await startProgram(bench, 'fastify', { DATABASE_URL: servers.databaseUrl });
  const targets: Target[] = [
    { name: 'Fastify nu', address: String(fastify.message) },
    { name: 'Vigie', address: product.address },
  ];
  bench.step(fr`crée ${accounts} comptes`);
  const hash = await addAccounts(servers.databaseUrl, accounts);
  const loginBench = { bench, targets, hash, isQuick };
  await checkLogins(targets);
  const full = await measureFull(loginBench);
  const reads = await measureReads(loginBench, await logIn(product.address));
  reportLogin(targets, { hash, ...full, reads, guesses: await measureAllGuesses(loginBench) });
  for (const { stop } of [fastify, product, servers]) await stop();
}

/** Checks that both targets return the same user and a session that the product accepts. */
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
  payload: { bodies },
  connections,
  seconds,
  pace: 'full',
});

/** Unanswered logins are still hashed for a moment after the end of a load. */
const waitForHashes = () => sleep(1_000);

async function measureFull({ bench, targets, hash, isQuick }: LoginBench) {
  const [rounds, seconds] = isQuick ? [1, 3] : [3, 6];
  bench.step(fr`met en température`);
  for (const target of targets) await runLoad(bench, loginsTo(target, isQuick ? 1 : 3)).then(waitForHashes);
  const alone: Measured[] = [];
  const full: Measured[][] = targets.map(() => []);
  for (let round = 0; round < rounds; round++) {
    bench.step(fr`à pleine charge, tour ${round + 1} sur ${rounds}`);
    const work = JSON.stringify({ hash, password, seconds, atOnce });
    const { message, running } = await startProgram(bench, 'hashes', { VIGIE_BENCH_HASHES: work });
    await running.exited;
    alone.push(requireClean('Argon2id', message as Measured));
    for (const [index, target] of targets.entries()) {
      full[index]?.push(requireClean(target.name, await runLoad(bench, loginsTo(target, seconds))));
      await waitForHashes();
    }
  }
  return { alone: medianFigures(alone), full: full.map(medianFigures) };
}

async function measureReads({ bench, targets, isQuick }: LoginBench, token: string): Promise<Reads[]> {
  const seconds = isQuick ? 4 : 15;
  const measured: Reads[] = [];
  for (const target of targets) {
    const { name, address } = target;
    bench.step(fr`lectures pendant des connexions, ${name}`);
    const pace = { rate: readRate, isSalvo: false };
    const reads: Load = { url: `${address}/api/auth/me`, payload: { token }, connections, seconds, pace };
    const alone = requireClean(name, await runLoad(bench, reads));
    measured.push({ alone, ...(await readDuring(bench, target, reads)) });
    await waitForHashes();
  }
  return measured;
}

/** The logins must start before the reads and end after them. */
async function readDuring(bench: Workbench, target: Target, reads: Load): Promise<Omit<Reads, 'alone'>> {
  let areLoginsOver = false;
  const logins = runLoad(bench, loginsTo(target, reads.seconds + 5)).finally(() => (areLoginsOver = true));
  const during = waitForHashes()
    .then(() => runLoad(bench, reads))
    .then((measured) => {
      if (areLoginsOver) throw new Refusal(fr`${target.name} : les lectures ont duré plus que les connexions.`);
      return measured;
    });
  const [read, loggedIn] = await Promise.all([during, logins]);
  return { during: requireClean(target.name, read), logins: requireClean(target.name, loggedIn) };
}

async function measureAllGuesses({ bench, targets, isQuick }: LoginBench): Promise<Guesses[]> {
  const measured: Guesses[] = [];
  // The accounts that logged in are skipped, because their rows were updated often.
  for (const target of targets) {
    bench.step(fr`refus avec et sans compte, ${target.name}`);
    measured.push(await measureGuesses(target, connections, isQuick ? 3 : 30));
  }
  return measured;
}
