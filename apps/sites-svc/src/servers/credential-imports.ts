import { Injectable } from '@nestjs/common';
import type { Output } from '@vigie/contracts/contract';
import { importCredential } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import { Bus, type Forwarded } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { FairSlots } from '@vigie/service-kit/fair-slots';

const maxImports = 64;
const named = { servers: 'serveurs', sites: 'sites' };

type Fields = Forwarded<typeof importCredential> & { row: { table: keyof typeof named } };

/** To read a key can cost seconds: a person who sends a hundred of them waits, and nobody else does. */
@Injectable()
export class CredentialImports {
  private readonly turns = new FairSlots(maxImports);

  constructor(private readonly bus: Bus) {}

  async import(fields: Fields): Promise<Output<typeof importCredential>> {
    const leave = this.turns.take(currentUser().sub);
    if (leave) return this.bus.forward(importCredential, fields).finally(leave);
    const sentence = `Trop de ${named[fields.row.table]} s’enregistrent à la fois. Attendez un instant.`;
    throw new AppError('too_many', sentence, { retryAfter: 2 });
  }
}
