import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { deploy, fleetPackages, whyNoFleet } from '@vigie/testing/fleet/machine';
import { Refusal, fr, reasonOf, say, seconds } from '../../terminal';
import { findBinary } from '../binaries';
import type { Settings } from '../env';
import type { Lifecycle } from '../lifecycle';
import { logFile } from '../logs';
import { type Installing, provideOthers } from '../packages';
import { isOpenTo, isRoot, outside } from '../place';
import { freePort } from '../ports';
import { Api } from './api';
import { register } from './register';
import { servers } from './servers';

const sshPackages = ['openssh-server', 'openssh-client', 'openssl', 'libnss-wrapper'];
/** A path of a socket has 107 bytes. */
const longestFolder = 80;

/** Two servers with WordPress sites on this machine, to try Vigie on. They live in the state folder. */
export class Demo {
  private readonly fleets: Fleet[] = [];

  private constructor(
    private readonly life: Lifecycle,
    /** With the stand-in of WordPress.org, which has updates for the sites. */
    readonly settings: Settings,
    private readonly port: number,
  ) {}

  static async prepare(life: Lifecycle, settings: Settings): Promise<Demo> {
    await providePackages({ log: say, signal: life.signal, logFile: logFile(settings.home, 'packages') });
    const port = await freePort();
    const given = { ...settings.given, VIGIE_WORDPRESS_API_URL: `http://127.0.0.1:${port}` };
    return new Demo(life, { ...settings, given }, port);
  }

  /** Beside the build, which takes longer. */
  async start(): Promise<void> {
    const since = performance.now();
    const { home } = this.settings;
    const folder = placeOf(home);
    say(fr`Démarre la flotte de démonstration : ${folder}…`);
    for (const [index, { kinds, copies }] of servers.entries()) {
      this.life.signal.throwIfAborted();
      const org = this.fleets[0]?.wordpressOrg ?? { port: this.port };
      const options = { kinds, copies, folder: join(folder, `${index + 1}`), cache: join(home, 'cache') };
      const fleet = await Fleet.start({ ...options, wordpressOrg: org }).catch((cause: unknown) => {
        throw new Refusal(fr`La flotte de démonstration ne démarre pas : ${reasonOf(cause)}`);
      });
      this.life.atStop(() => fleet.close());
      this.fleets.push(fleet);
    }
    const sites = this.fleets.reduce((sum, fleet) => sum + fleet.sites.length, 0);
    say(
      fr`${this.fleets.length} serveurs et ${sites} sites WordPress tournent (${seconds(performance.now() - since)}).`,
    );
  }

  /** What is registered already stays as it is. */
  async register(address: string): Promise<void> {
    const api = await Api.login(address, this.settings);
    if (api) await register(api, this.fleets, say);
    else
      say(
        fr`La flotte tourne, mais Vigie ne peut pas l’enregistrer : le mot de passe du premier administrateur a changé, ou il a une 2FA.`,
      );
  }
}

async function providePackages(installing: Installing): Promise<void> {
  if (!isRoot())
    throw new Refusal(
      fr`La démonstration donne ses sites à des utilisateurs séparés, ce que seul root peut faire : lancez-la en root, ou npm start sans --demo.`,
    );
  const isMissing = () => whyNoFleet() !== undefined;
  if (!isMissing()) return;
  if (!findBinary('apt-get', undefined))
    throw new Refusal(
      fr`La démonstration installe ses serveurs par apt-get : il lui faut Debian ou Ubuntu. Lancez npm start sans --demo.`,
    );
  await provideOthers([...fleetPackages, ...sshPackages], isMissing, installing);
  const reason = whyNoFleet();
  if (reason !== undefined) throw new Refusal(fr`La démonstration ne peut pas démarrer ici : ${reason}.`);
}

/** Where the users of the sites can reach them. */
function placeOf(home: string): string {
  const inside = join(home, 'demo');
  const hasRoom = Buffer.byteLength(inside) <= longestFolder;
  const folder = hasRoom && isOpenTo(deploy, home) ? inside : join(outside(home), 'demo');
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  return folder;
}
