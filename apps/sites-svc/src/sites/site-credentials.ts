import type { SshAddress } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import { missingConnection } from '@vigie/contracts/sites';
import type { SealedText } from '@vigie/contracts/text';
import { Injectable } from '@nestjs/common';
import { CredentialImports } from '../servers/credential-imports';
import { addressOf, type Server } from '../servers/server.entity';
import { effectiveOf, isSameAddress, needsOwnCredential } from './site-access';
import type { Site } from './site.entity';

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
  constructor(private readonly imports: CredentialImports) {}

  /** What it will have, and the digest of the secret that came. Undefined: what it has stays. */
  async next(asked: Asked): Promise<Made | undefined> {
    const { named, place, server, before } = asked;
    const target = effectiveOf(place, server && addressOf(server));
    if (!target) throw new AppError('invalid', missingConnection);
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

  private async import(
    { id, named, server, before }: Asked,
    target: SshAddress,
    own: Site | undefined,
    by: Origin,
  ): Promise<Made> {
    const { auth, ...place } = named;
    const current =
      own?.credential && own.credentialFor ? { credential: own.credential, address: own.credentialFor } : null;
    const made = await this.imports.import({
      // A change of address without a secret is the server's doing or this form's: nothing was sealed for it.
      ...(auth && { ...place, ...(before && { id }) }),
      ...(auth !== undefined && { auth }),
      row: { table: 'sites', id },
      target,
      current,
      server: server && { id: server.id, credential: server.credential, address: addressOf(server) },
    });
    const method = made.method === 'key' && by === 'made' ? ('pair' as const) : made.method;
    const { credential, public_key: publicKey, digest } = made;
    return { credential, credentialFor: target, method, publicKey, digest: auth ? digest : null };
  }
}

type Origin = 'given' | 'made';

/** Its server's password never goes to another address. */
function refuseLoan(server: Server, target: SshAddress): void {
  if (server.method === 'password' && !isSameAddress(addressOf(server), target)) throw needsOwnCredential();
}
