import type { SshAddress } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import { missingConnection } from '@vigie/contracts/sites';
import type { SealedText } from '@vigie/contracts/text';
import { Injectable } from '@nestjs/common';
import { CredentialImports } from '../servers/credential-imports';
import { addressOf, type Server } from '../servers/server.entity';
import { effectiveAddress, isSameAddress, needsOwnCredential } from './site-access';
import type { Site } from './site.entity';

/** The submitted form: the secret in it was sealed for exactly these fields. */
type SubmittedConnection = {
  auth?: SealedText | null | undefined;
  server_id?: string | null | undefined;
  host?: string | null | undefined;
  port?: number | null | undefined;
  user?: string | null | undefined;
};

type CredentialRequest = {
  id: string;
  submitted: SubmittedConnection;
  /** Where the site will be. */
  address: Pick<Site, 'host' | 'port' | 'user'>;
  server: Server | null;
  /** Undefined for a new site. */
  before?: Site;
};

type SiteCredential = Pick<Site, 'credential' | 'credentialFor' | 'method' | 'publicKey'> & { digest: string | null };
const noCredential: SiteCredential = {
  credential: null,
  credentialFor: null,
  method: null,
  publicKey: null,
  digest: null,
};

/** Chooses a site's credential: the submitted one, its server's, or a generated key pair. */
@Injectable()
export class SiteCredentials {
  constructor(private readonly imports: CredentialImports) {}

  /** Undefined when the site keeps its credential. */
  async next(request: CredentialRequest): Promise<SiteCredential | undefined> {
    const { submitted, address, server, before } = request;
    const target = effectiveAddress(address, server && addressOf(server));
    if (!target) throw new AppError('invalid', missingConnection);
    const own = before?.credential ? before : undefined;
    if (submitted.auth) return this.import(request, target, own, 'submitted');
    // The server's credential replaces a generated key pair, and a password that the form removes.
    if (server && (!own || own.method === 'pair' || submitted.auth === null)) {
      refusePasswordLoan(server, target);
      return own || !before ? noCredential : undefined;
    }
    return own ? this.reseal(request, target, own) : this.import(request, target, undefined, 'generated');
  }

  /** Seals a key anew for the new address; a password must be entered again. */
  private reseal(request: CredentialRequest, target: SshAddress, own: Site): Promise<SiteCredential> | undefined {
    if (request.submitted.auth === null && own.method === 'password')
      return this.import(request, target, own, 'generated');
    if (isSameAddress(own.credentialFor, target)) return undefined;
    if (own.method !== 'password')
      return this.import(request, target, own, own.method === 'pair' ? 'generated' : 'submitted');
    throw new AppError(
      'invalid',
      'L’hôte, le port ou l’utilisateur change\u00a0: saisissez de nouveau le mot de passe.',
    );
  }

  private async import(
    { id, submitted, server, before }: CredentialRequest,
    target: SshAddress,
    own: Site | undefined,
    origin: Origin,
  ): Promise<SiteCredential> {
    const { auth, ...address } = submitted;
    const current =
      own?.credential && own.credentialFor ? { credential: own.credential, address: own.credentialFor } : null;
    const imported = await this.imports.import({
      // Without a secret in the form, nothing was sealed for its fields.
      ...(auth && { ...address, ...(before && { id }) }),
      ...(auth !== undefined && { auth }),
      row: { table: 'sites', id },
      target,
      current,
      server: server && { id: server.id, credential: server.credential, address: addressOf(server) },
    });
    const method = imported.method === 'key' && origin === 'generated' ? ('pair' as const) : imported.method;
    const { credential, public_key: publicKey, digest } = imported;
    return { credential, credentialFor: target, method, publicKey, digest: auth ? digest : null };
  }
}

type Origin = 'submitted' | 'generated';

/** A server's password is never sent to another address. */
export function refusePasswordLoan(server: Server, target: SshAddress): void {
  if (server.method === 'password' && !isSameAddress(addressOf(server), target)) throw needsOwnCredential();
}
