import { Controller } from '@nestjs/common';
import type { Output } from '@vigie/contracts/contract';
import { importCredential, type ImportCredential, isEmptyAuth, type SshAuth } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import { Handles } from '@vigie/service-kit/handles';
import { KeyRing } from '@vigie/service-kit/key-ring';
import { generateKey, type KeyPair } from '@vigie/ssh/keys';
import { type Credential, openCredential, refuseRedirection, sealCredential } from './credential';
import { KeyReader } from './key-reader';

@Controller()
export class CredentialsController {
  constructor(
    private readonly keyRing: KeyRing,
    private readonly keyReader: KeyReader,
  ) {}

  @Handles(importCredential)
  async import(input: ImportCredential): Promise<Output<typeof importCredential>> {
    const { auth, row, target } = input;
    const current = await this.openCurrent(input);
    if (input.server) await this.openServer(input.server);
    refuseRedirection(input, current !== undefined);
    const credential = await this.nextCredential(auth, current);
    if (credential.password !== undefined && !auth && hasMoved(input)) {
      throw new AppError(
        'invalid',
        'Le mot de passe enregistré ne vaut que pour l’ancienne adresse\u00a0: saisissez-le de nouveau.',
      );
    }
    return {
      credential: await sealCredential(this.keyRing, credential, row, target),
      method: credential.password === undefined ? 'key' : 'password',
      public_key: credential.publicKey,
      digest: this.keyRing.hash(JSON.stringify(auth ?? null), 'ssh-auth'),
    };
  }

  /** The stored credential. It may be unreadable after a key file was lost; a new credential then replaces it. */
  private async openCurrent({ auth, row, current }: ImportCredential): Promise<Credential | undefined> {
    if (!current) return undefined;
    const opened = openCredential(this.keyRing, { ...current.address, row, credential: current.credential });
    return auth === undefined ? opened : opened.catch(() => undefined);
  }

  /** Proves the address of a server: its credential opens for no other. */
  private openServer({ id, credential, address }: NonNullable<ImportCredential['server']>): Promise<Credential> {
    return openCredential(this.keyRing, { ...address, row: { table: 'servers', id }, credential });
  }

  private async nextCredential(auth: SshAuth | null | undefined, current: Credential | undefined): Promise<Credential> {
    if (auth && !auth.password && !isEmptyAuth(auth)) {
      return this.keyReader.read(auth.privateKeyPem ?? '', auth.passphrase).then(keyOf);
    }
    if (current && auth === undefined) return current;
    const key = keyOf(current ?? generateKey());
    return auth?.password ? { ...key, password: auth.password } : key;
  }
}

const keyOf = ({ privateKey, publicKey }: Pick<KeyPair, 'privateKey' | 'publicKey'>) => ({ privateKey, publicKey });

function hasMoved({ current, target }: ImportCredential): boolean {
  if (!current) return false;
  const { host, port, user } = current.address;
  return host !== target.host || port !== target.port || user !== target.user;
}
