import { FakeSsh, printing } from '@vigie/testing/hostile-ssh';
import type { Random } from '../chaos/random';

type Exec = NonNullable<Parameters<typeof FakeSsh.start>[0]>['exec'];

const escapes = '\u001b]52;c;cm0gLXJm\u0007\u001b[31m\u009b2J\u202E';
const names = [
  '../../etc/passwd',
  '-rf',
  'a\rb',
  `${escapes}.wpress`,
  'a'.repeat(5_000),
  '\uFFFD.wpress',
  '$(reboot).wpress',
  '.',
  '',
];
const keys = [
  'system',
  'user',
  'disk',
  'php',
  'wp',
  'file',
  'plugin',
  'backup',
  'load',
  'mem',
  'uptime',
  'child',
  'ok',
  'error',
];
const json = [
  `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
  '{"__proto__":{"is_admin":true},"constructor":{"prototype":{"a":1}}}',
  '{"version":["6.9"],"plugins":{"length":1e9},"themes":null,"core":"\\u0000"}',
  '{"version":"\\ud800","name":"\\u202Egpj"}',
  '[]',
  'null',
  '1e999',
  '{',
];

/** Lines like those of Vigie's scripts, with hostile fields. */
function falseLines(random: Random): string {
  return Array.from({ length: 60 }, () => {
    const value = () =>
      random.one([...names, ...json.slice(1), '9'.repeat(400), '-1', 'NaN', '<script>alert(1)</script>']);
    return [random.one(keys), value(), value(), value()].join('\t');
  }).join('\n');
}

const flood = (accept: Parameters<NonNullable<Exec>>[0]) => {
  const channel = accept();
  const bytes = Buffer.alloc(65_536, 'gigabytes of it, without a line end ');
  const pour = () => {
    while (channel.writable && channel.write(bytes)) continue;
  };
  channel.on('drain', pour).on('error', () => channel.removeAllListeners('drain'));
  pour();
};

export const hostBehaviours: Record<string, (random: Random) => Exec> = {
  'lignes fausses': (random) => printing(falseLines(random)),
  'JSON faux': (random) => printing(random.one(json)),
  'JSON profond': () => printing(json[0] ?? ''),
  'erreur bavarde': (random) => printing(falseLines(random), escapes.repeat(20_000), 1),
  'code inconnu': () => printing('ok', '', 255),
  rien: () => printing(''),
  bruit: () => (accept) => {
    const channel = accept();
    channel.write(`${escapes}\nVIGIE 0\n`);
    channel.exit(0);
    channel.end();
  },
  'sans fin': (random) => (accept) => {
    const channel = accept();
    channel.once('data', (input: Buffer) => {
      channel.write(`\n${input.toString().split('\n')[0]}\n${falseLines(random)}`);
      channel.close();
    });
  },
  coupe: () => (accept) => accept().close(),
  refus: () => (_accept, _command, reject) => reject(),
  inondation: () => flood,
};

/** Starts a host that accepts every login, answers each command with one of these behaviours, and echoes in its shell. */
export function startHostileHost(random: Random, chosen: readonly string[]): Promise<FakeSsh> {
  return FakeSsh.start({
    exec: (...request) => hostBehaviours[random.one(chosen)]?.(random)?.(...request),
    shell: (channel) => {
      channel.on('error', () => undefined).on('data', (bytes: Buffer) => channel.writable && channel.write(bytes));
    },
  });
}
