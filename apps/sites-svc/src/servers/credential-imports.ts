import { Injectable } from '@nestjs/common';
import type { Output } from '@vigie/contracts/contract';
import { importCredential } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import { Bus, type ForwardedInput } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { FairSlots } from '@vigie/service-kit/fair-slots';

const maxImports = 64;
const labels = { servers: 'serveurs', sites: 'sites' };

type Fields = ForwardedInput<typeof importCredential> & { row: { table: keyof typeof labels } };

/** Decrypting a key can take seconds: fair slots keep one person's hundred imports from delaying everybody else. */
@Injectable()
export class CredentialImports {
  private readonly slots = new FairSlots(maxImports);

  constructor(private readonly bus: Bus) {}

  async import(fields: Fields): Promise<Output<typeof importCredential>> {
    const release = this.slots.acquire(currentUser().sub);
    if (release) return this.bus.forward(importCredential, fields).finally(release);
    const sentence = `Trop de ${labels[fields.row.table]} s’enregistrent à la fois. Attendez un instant.`;
    throw new AppError('too_many', sentence, { retryAfter: 2 });
  }
}
