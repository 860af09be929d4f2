import { importCredential, type SshAddress } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import type { SealedText } from '@vigie/contracts/text';
import { Injectable } from '@nestjs/common';
import { Bus, type Forwarded } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { addressOf, type Server } from '../servers/server.entity';
import { Turns } from '@vigie/service-kit/turns';
import { effectiveOf, isSameAddress, needsOwnCredential } from './site-access';
import type { Site } from './site.entity';

const mostImports = 64;

/** A form as it came: what it named is what its secret was sealed for. */
type NamedWay = {
  auth?: SealedText | null | undefined;
  server_id?: string | null | undefined;
  host?: string | null | undefined;
  port?: number | null | undefined;
  user?: string | null | undefined;
};

type Asked = {
  id: string;
  named: NamedWay;
  /** Of the site as it will be. */
  place: Pick<Site, 'host' | 'port' | 'user'>;
  server: Server | null;
  /** As it is; undefined for a new one. */
  before?: Site;
};

type Made = Pick<Site, 'credential' | 'credentialFor' | 'method' | 'publicKey'> & { digest: string | null };
const nothing: Made = { credential: null, credentialFor: null, method: null, publicKey: null, digest: null };

/** What a site logs in with: its own credential, its server's, or a key that is made for it. */
@Injectable()
export class SiteCredentials {
  private readonly turns = new Turns(mostImports);

  constructor(private readonly bus: Bus) {}

  /** What it will have, and the digest of the secret that came. Undefined: what it has stays. */
  async next(asked: Asked): Promise<Made | undefined> {
    const { named, place, server, before } = asked;
    const target = effectiveOf(place, server && addressOf(server));
    if (!target) throw new AppError('invalid', missingWay);
    const own = before?.credential ? before : undefined;
    if (named.auth) return this.import(asked, target, own, 'given');
    // A key made in want of a server, and a password that is forgotten, give way to the server's.
    if (server && (!own || own.method === 'pair' || named.auth === null)) {
      refuseLoan(server, target);
      return own || !before ? nothing : undefined;
    }
    return own ? this.rebind(asked, target, own) : this.import(asked, target, undefined, 'made');
  }

  /** What it has, for where it is now: a key goes along, a password has to be given again. */
  private rebind(asked: Asked, target: SshAddress, own: Site): Promise<Made> | undefined {
    if (asked.named.auth === null && own.method === 'password') return this.import(asked, target, own, 'made');
    if (isSameAddress(own.credentialFor, target)) return undefined;
    if (own.method !== 'password') return this.import(asked, target, own, own.method === 'pair' ? 'made' : 'given');
    throw new AppError(
      'invalid',
      'L’hôte, le port ou l’utilisateur change\u00a0: saisissez de nouveau le mot de passe.',
    );
  }

  /** To read a key can cost seconds: a person who sends a hundred of them waits, and nobody else does. */
  private async import(
    { id, named, server, before }: Asked,
    target: SshAddress,
    own: Site | undefined,
    by: Origin,
  ): Promise<Made> {
    const { auth, ...place } = named;
    const current =
      own?.credential && own.credentialFor ? { credential: own.credential, address: own.credentialFor } : null;
    const fields: Forwarded<typeof importCredential> = {
      // A change of address without a secret is the server's doing or this form's: nothing was sealed for it.
      ...(auth && { ...place, ...(before && { id }) }),
      ...(auth !== undefined && { auth }),
      row: { table: 'sites', id },
      target,
      current,
      server: server && { id: server.id, credential: server.credential, address: addressOf(server) },
    };
    const leave = this.turns.take(currentUser().sub);
    if (!leave) {
      throw new AppError('too_many', 'Trop de sites s’enregistrent à la fois. Attendez un instant.', { retryAfter: 2 });
    }
    const made = await this.bus.forward(importCredential, fields).finally(leave);
    const method = made.method === 'key' && by === 'made' ? ('pair' as const) : made.method;
    const { credential, public_key: publicKey, digest } = made;
    return { credential, credentialFor: target, method, publicKey, digest: auth ? digest : null };
  }
}

type Origin = 'given' | 'made';

export const missingWay = 'Renseignez hôte, utilisateur et chemin WP ou sélectionnez un serveur.';

/** Its server's password never goes to another address. */
function refuseLoan(server: Server, target: SshAddress): void {
  if (server.method === 'password' && !isSameAddress(addressOf(server), target)) throw needsOwnCredential();
}
