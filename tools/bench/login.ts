import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal, fr } from '../terminal';
import { accountNumber, addAccounts, describeHash, emailAddress } from './accounts';
import { type Guesses, measureGuesses, type Target } from './guesses';
import { measure, type Measure, type Part } from './measure';
import { administrator, logIn } from './product';
import { startProgram } from './programs';
import { aim, milliseconds, number, ratioOf, times } from './report';
import { setStage } from './stage';
import { areaByChance, areaUnderCurve, median } from './statistics';
import { type Load, runLoad, runSender } from './url-loads';
import type { Workbench } from './workbench';

const connections = 32;
const { password } = administrator;
/** More accounts than a minute of attempts can use. */
const accounts = 8_000;
/** The same concurrency of hashes as auth-svc. */
const atOnce = 2;
const readRate = 50;

/** Each connection uses its own account, so that logins do not wait for the lock of one row. */
const bodies = Array.from({ length: connections }, (_, index) =>
  JSON.stringify({ email: emailAddress(accountNumber(index)), password }),
);

const fullLegend = fr`
  32 connexions, un compte chacune, depuis un processus à part ; médiane de rondes alternées ; que des 200.
  Argon2id seul : la même empreinte vérifiée en boucle, ${atOnce} à la fois comme dans auth-svc, sans rien autour.
  Fastify nu : chercher la ligne, vérifier la même empreinte (autant à la fois que libuv en prend : 4), écrire la session.
  Vigie est entière : en plus, le mot de passe scellé jusqu’à auth-svc, deux lectures des compteurs de tentatives, la
  date de connexion, une ligne d’audit chaînée et un fait, que sites-svc met au fil d’activité pendant ce temps.`;

const readsLegend = fr`
  Une lecture toutes les ${1000 / readRate} ms, chronométrée depuis l’instant où elle était due ; pendant ce temps, ou non,
  32 connexions se connectent sans relâche. Rapport : pendant / seules.`;

const guessesLegend = fr`
  Mauvais mot de passe, un essai après l’autre, chacun d’une adresse et pour un email qui ne servent qu’une fois.
  Aire sous la courbe ROC : la part des paires (un connu, un inconnu) que leurs temps rangent dans l’ordre ; à 0,50 le
  temps ne dit rien, à 0 ou à 1 il dit tout. Le hasard seul l’éloigne de 0,50 d’autant, dans 19 cas sur 20.
  Fastify nu répond sans rien vérifier quand il n’y a pas de compte.`;

type LoginBench = {
  bench: Workbench;
  targets: Record<'fastify' | 'vigie', Target>;
  hash: string;
  token: string;
  isQuick: boolean;
};

/** Measures logins per second, reads during logins, and whether the time of a refusal reveals an account. */
export const login: Part = async (bench, isQuick) => {
  const { servers, product } = await setStage(bench, { VIGIE_TRUSTED_HOPS: '1' });
  const fastify = await startProgram(bench, 'fastify', { DATABASE_URL: servers.databaseUrl });
  const targets = {
    fastify: { name: 'Fastify nu', address: String(fastify.message) },
    vigie: { name: 'Vigie', address: product.address },
  };
  bench.step(fr`crée ${accounts} comptes`);
  const hash = await addAccounts(servers.databaseUrl, accounts);
  await checkLogins(Object.values(targets), product.address);
  const context = { bench, targets, hash, token: await logIn(product.address), isQuick };
  return [fullLoad(context), readsDuringLogins(context), guesses(context)];
};

/** Checks that both targets return the same user and a session that the product accepts. */
async function checkLogins(targets: readonly Target[], own: string): Promise<void> {
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
async function thenWait<T>(work: Promise<T>): Promise<T> {
  const done = await work;
  await sleep(1_000);
  return done;
}

function fullLoad({ bench, targets, hash, isQuick }: LoginBench): Measure {
  const [rounds, seconds, warmUpSeconds] = isQuick ? [1, 3, 1] : [3, 6, 3];
  const work = JSON.stringify({ hash, password, seconds, atOnce });
  const logins = (target: Target) => {
    const load = (duration: number) => thenWait(runLoad(bench, target.name, loginsTo(target, duration)));
    return { name: target.name, prepare: () => load(warmUpSeconds), run: () => load(seconds) };
  };
  const alone = () => runSender(bench, 'Argon2id', 'hashes', { VIGIE_BENCH_HASHES: work });
  return measure({
    title: fr`POST /api/auth/login, bon mot de passe, à pleine charge (${describeHash(hash)})`,
    contenders: {
      alone: { name: fr`Argon2id seul`, run: alone },
      fastify: logins(targets.fastify),
      vigie: logins(targets.vigie),
    },
    rounds,
    columns: ({ vigie }) => [
      ['par seconde', ({ perSecond }) => number(perSecond, 1)],
      ['Vigie vaut', ratioOf(vigie, ({ perSecond }) => perSecond)],
      ['p50', ({ p50 }) => milliseconds(p50)],
      ['p99', ({ p99 }) => milliseconds(p99)],
    ],
    note: fullLegend,
  });
}

function readsDuringLogins({ bench, targets, token, isQuick }: LoginBench): Measure {
  const reads = (target: Target) => ({
    name: target.name,
    run: () => thenWait(readDuring(bench, target, token, isQuick)),
  });
  return measure({
    title: fr`GET /api/auth/me, ${readRate} par seconde, pendant des connexions à pleine charge`,
    contenders: { fastify: reads(targets.fastify), vigie: reads(targets.vigie) },
    columns: () => [
      ['seules p50', ({ alone }) => milliseconds(alone.p50)],
      ['p99', ({ alone }) => milliseconds(alone.p99)],
      ['pendant p50', ({ during }) => milliseconds(during.p50)],
      ['p99', ({ during }) => milliseconds(during.p99)],
      ['rapport p50', ({ alone, during }) => times(during.p50 / alone.p50)],
      ['p99', ({ alone, during }) => times(during.p99 / alone.p99)],
      ['connexions/s', ({ logins }) => number(logins.perSecond, 1)],
    ],
    note: readsLegend,
  });
}

/** Reads alone, then during logins, which must start before the reads and end after them. */
async function readDuring(bench: Workbench, target: Target, token: string, isQuick: boolean) {
  const { name, address } = target;
  const seconds = isQuick ? 4 : 15;
  const pace = { rate: readRate, isSalvo: false };
  const reads: Load = { url: `${address}/api/auth/me`, payload: { token }, connections, seconds, pace };
  const alone = await runLoad(bench, name, reads);
  let areLoginsOver = false;
  const logins = runLoad(bench, name, loginsTo(target, seconds + 5)).finally(() => (areLoginsOver = true));
  const during = sleep(1_000)
    .then(() => runLoad(bench, name, reads))
    .then((measured) => {
      if (areLoginsOver) throw new Refusal(fr`${name} : les lectures ont duré plus que les connexions.`);
      return measured;
    });
  const [read, loggedIn] = await Promise.all([during, logins]);
  return { alone, during: read, logins: loggedIn };
}

function guesses({ targets, isQuick }: LoginBench): Measure {
  const guess = (target: Target) => ({
    name: target.name,
    // The accounts that logged in are skipped, because their rows were updated often.
    run: async () => summarizeGuesses(await measureGuesses(target, connections, isQuick ? 3 : 30)),
  });
  return measure({
    title: fr`POST /api/auth/login, mauvais mot de passe : le temps dit-il si le compte existe ?`,
    contenders: { fastify: guess(targets.fastify), vigie: guess(targets.vigie) },
    columns: () => [
      ['essais', ({ count }) => number(count)],
      ['connu p50', ({ known }) => precise(known)],
      ['inconnu p50', ({ unknown }) => precise(unknown)],
      ['rapport', ({ known, unknown }) => `×\u00a0${number(known / unknown, 3)}`],
      ['aire ROC', ({ area }) => number(area, 3)],
      ['hasard', ({ chance }) => `±\u00a0${number(chance, 3)}`],
    ],
    lines: ({ vigie }) => [aim(fr`écart de l’aire ROC à 0,50`, Math.abs(vigie.area - 0.5), '≤', 0.05)],
    note: guessesLegend,
  });
}

const summarizeGuesses = ({ known, unknown }: Guesses) => ({
  count: known.length + unknown.length,
  known: median(known),
  unknown: median(unknown),
  area: areaUnderCurve(known, unknown),
  chance: areaByChance(known.length, unknown.length),
});

/** The relevant difference is a hundredth. */
const precise = (value: number) => `${number(value, 2)}\u00a0ms`;
