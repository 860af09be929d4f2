import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { deploy, fleetPackages, fleetUnavailableReason } from '@vigie/testing/fleet/machine';
import { Refusal, fr, reasonOf, say, seconds } from '../../terminal';
import { findBinary } from '../binaries';
import type { Settings } from '../env';
import type { Lifecycle } from '../lifecycle';
import { logFile } from '../logs';
import { type InstallOptions, providePackages } from '../packages';
import { isOpenTo, isRoot, externalDataFolder } from '../server-storage';
import { freePort } from '../ports';
import { Api } from './api';
import { offerBrokenUpdate } from './broken-update';
import { register } from './register';
import { servers, siteOfBrokenUpdate } from './servers';

const sshPackages = ['openssh-server', 'openssh-client', 'openssl', 'libnss-wrapper'];
/** The path of a socket is at most 107 bytes long. */
const maxFolderBytes = 80;

/** Runs two servers with WordPress sites on this machine, in the state folder, to try Vigie on. */
export class Demo {
  private readonly fleets: Fleet[] = [];

  private constructor(
    private readonly life: Lifecycle,
    /** Includes the address of the fake WordPress.org, which offers updates for the sites. */
    readonly settings: Settings,
    private readonly port: number,
  ) {}

  static async prepare(life: Lifecycle, settings: Settings): Promise<Demo> {
    await provideFleetPackages({ log: say, signal: life.signal, logFile: logFile(settings.home, 'packages') });
    const port = await freePort();
    // A demonstration asks no other company for anything.
    const isolated = {
      VIGIE_WORDPRESS_API_URL: `http://127.0.0.1:${port}`,
      VIGIE_CANARY_URLS: 'none',
      VIGIE_RDAP_URL: 'none',
    };
    const env = { ...settings.env, ...isolated };
    return new Demo(life, { ...settings, env }, port);
  }

  /** Runs in parallel to the build, which takes longer. */
  async start(): Promise<void> {
    const startedAt = performance.now();
    const { home } = this.settings;
    const folder = demoFolder(home);
    say(fr`Démarre la flotte de démonstration : ${folder}…`);
    for (const [index, { kinds, copies }] of servers.entries()) {
      this.life.signal.throwIfAborted();
      const wordpressOrg = this.fleets[0]?.wordpressOrg ?? { port: this.port };
      const options = { kinds, copies, folder: join(folder, `${index + 1}`), cache: join(home, 'cache') };
      const fleet = await Fleet.start({ ...options, wordpressOrg }).catch((cause: unknown) => {
        throw new Refusal(fr`La flotte de démonstration ne démarre pas : ${reasonOf(cause)}`);
      });
      this.life.atStop(() => fleet.close());
      this.fleets.push(fleet);
    }
    await offerBrokenUpdate(this.fleets, siteOfBrokenUpdate);
    const sites = this.fleets.reduce((sum, fleet) => sum + fleet.sites.length, 0);
    say(
      fr`${this.fleets.length} serveurs et ${sites} sites WordPress tournent (${seconds(performance.now() - startedAt)}).`,
    );
  }

  /** Registers the servers and sites that Vigie does not have yet. */
  async register(address: string): Promise<void> {
    const api = await Api.login(address, this.settings);
    if (api) await register(api, this.fleets, say);
    else
      say(
        fr`La flotte tourne, mais Vigie ne peut pas l’enregistrer : le mot de passe du premier administrateur a changé, ou il a une 2FA.`,
      );
  }
}

async function provideFleetPackages(options: InstallOptions): Promise<void> {
  if (!isRoot())
    throw new Refusal(
      fr`La démonstration donne ses sites à des utilisateurs séparés, ce que seul root peut faire : lancez-la en root, ou npm start sans --demo.`,
    );
  const isMissing = () => fleetUnavailableReason() !== undefined;
  if (!isMissing()) return;
  if (!findBinary('apt-get', undefined))
    throw new Refusal(
      fr`La démonstration installe ses serveurs par apt-get : il lui faut Debian ou Ubuntu. Lancez npm start sans --demo.`,
    );
  await providePackages([...fleetPackages, ...sshPackages], isMissing, options);
  const reason = fleetUnavailableReason();
  if (reason !== undefined) throw new Refusal(fr`La démonstration ne peut pas démarrer ici : ${reason}.`);
}

/** A folder that the users of the sites can enter. */
function demoFolder(home: string): string {
  const homeFolder = join(home, 'demo');
  const isShortEnough = Buffer.byteLength(homeFolder) <= maxFolderBytes;
  const folder = isShortEnough && isOpenTo(deploy, home) ? homeFolder : join(externalDataFolder(home), 'demo');
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  return folder;
}
