import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import {
  exportChosenSites,
  exportSites,
  importSiteCsv,
  previewSiteCsv,
  type SiteCsvLine,
} from '@vigie/contracts/site-csv';
import { currentUser } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { IdempotencyKeys } from '@vigie/service-kit/idempotency-keys';
import { DataSource } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { lockGroupTree } from '../groups/group.entity';
import { lockOwner } from '../owners/owners';
import { SiteCredentials } from '../sites/site-credentials';
import { exportPart } from './export-lines';
import { type MadeKey, registerLines, repeatAnswer } from './register-lines';
import { readLines } from './read-lines';
import { verdictsOf } from './verdicts';

/** Keys that the agents make at the same time for one import. */
const keysAtOnce = 8;

/** Writes the caller's sites as a table, and registers the sites of a table. */
@Controller()
export class SiteCsvController {
  constructor(
    private readonly database: DataSource,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly credentials: SiteCredentials,
  ) {}

  @Handles(exportSites)
  async export(input: Input<typeof exportSites>) {
    return exportPart(this.database.manager, input);
  }

  @Handles(exportChosenSites)
  async exportChosen(input: Input<typeof exportChosenSites>) {
    return exportPart(this.database.manager, input);
  }

  @Handles(previewSiteCsv)
  async preview({ lines }: Input<typeof previewSiteCsv>) {
    return { items: verdictsOf(lines, await readLines(this.database.manager, currentUser().sub, lines)) };
  }

  /** A repeated import registers nothing twice. */
  @Handles(importSiteCsv)
  async import(input: Input<typeof importSiteCsv>): Promise<Output<typeof importSiteCsv>> {
    const importId = uuid();
    const keys = await this.makeKeys(input.lines);
    return this.database.transaction(async (manager) => {
      const ownerId = await lockOwner(manager);
      // The second of two simultaneous imports finds the sites and the groups of the first.
      await lockGroupTree(manager, ownerId);
      const existingId = await this.idempotencyKeys.claim(manager, importSiteCsv, input, importId);
      const read = await readLines(manager, ownerId, input.lines);
      if (existingId !== undefined) return repeatAnswer(manager, existingId, read);
      return registerLines(manager, { ...read, ownerId, keys });
    });
  }

  /** A new site that names its own host gets a key pair, for which no transaction may wait. */
  private async makeKeys(lines: readonly SiteCsvLine[]): Promise<Map<number, MadeKey>> {
    const { accepted, existing } = await readLines(this.database.manager, currentUser().sub, lines);
    const withOwnHost = accepted.filter(({ line, server }) => !server && !existing.has(line));
    const keys = new Map<number, MadeKey>();
    const makeKey = async ({ line, fields }: (typeof accepted)[number]) => {
      const id = uuid();
      const made = await this.credentials.next({ id, submitted: {}, address: fields, server: null });
      const { digest: _, ...credential } = made ?? { digest: null };
      keys.set(line, { id, ...credential });
    };
    for (let start = 0; start < withOwnHost.length; start += keysAtOnce) {
      await Promise.all(withOwnHost.slice(start, start + keysAtOnce).map(makeKey));
    }
    return keys;
  }
}
