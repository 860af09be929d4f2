import { Injectable } from '@nestjs/common';
import type { Contract } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { EntityManager, QueryRunner } from 'typeorm';
import { currentContext, currentUser } from './context';
import { KeyRing } from './key-ring';

/** Part of a service's first migration that creates something for a user; never changed, later migrations follow it. */
export const createCreationKeys = (runner: QueryRunner) =>
  runner.query(`
    create table creation_keys (
      user_id uuid not null,
      key text not null,
      contract text not null,
      body_hash text not null,
      made_id uuid not null,
      at timestamptz not null default now(),
      primary key (user_id, key)
    )`);

export type Claim = { userId: string; key: string; contract: string; bodyHash: string };

/** A creation that is asked twice under the same `Idempotency-Key` is made once. */
@Injectable()
export class IdempotencyKeys {
  constructor(private readonly keyRing: KeyRing) {}

  /**
   * The id under which this was already made, or undefined: then it is `madeId` from now on. Called in the transaction
   * that makes it; a second request waits here until the first is decided.
   */
  async claim(manager: EntityManager, contract: Contract, input: object, madeId: string): Promise<string | undefined> {
    const claim = this.claimOf(contract, input);
    if (!claim || (await this.keep(manager, claim, madeId))) return undefined;
    return this.find(manager, contract, input);
  }

  /** What the request claims by its key, for whoever makes it only once the request may be over. */
  claimOf(contract: Contract, input: object): Claim | undefined {
    const key = currentContext()?.idempotencyKey;
    if (key === undefined) return undefined;
    return { userId: currentUser().sub, key, contract: contract.name, bodyHash: this.hashOf(contract, input) };
  }

  /** False where something was made under it already. */
  async keep(manager: EntityManager, claim: Claim, madeId: string): Promise<boolean> {
    const { userId, key, contract, bodyHash } = claim;
    const claimed: unknown[] = await manager.query(
      `insert into creation_keys (user_id, key, contract, body_hash, made_id) values ($1, $2, $3, $4, $5)
       on conflict (user_id, key) do nothing returning key`,
      [userId, key, contract, bodyHash, madeId],
    );
    return claimed.length > 0;
  }

  /** The id under which this was already made, for what cannot wait for the transaction that tells of it. */
  async find(manager: EntityManager, contract: Contract, input: object): Promise<string | undefined> {
    const key = currentContext()?.idempotencyKey;
    if (key === undefined) return undefined;
    const [known]: { contract: string; body_hash: string; made_id: string }[] = await manager.query(
      'select contract, body_hash, made_id from creation_keys where user_id = $1 and key = $2',
      [currentUser().sub, key],
    );
    if (!known) return undefined;
    if (known.contract === contract.name && known.body_hash === this.hashOf(contract, input)) return known.made_id;
    throw new AppError('schema', 'Cette clé d’idempotence a déjà servi pour une autre demande.');
  }

  /** Whether something of this kind was made under the request's key. */
  async isKnown(manager: EntityManager, { name }: Contract): Promise<boolean> {
    const key = currentContext()?.idempotencyKey;
    if (key === undefined) return false;
    const found: unknown[] = await manager.query(
      'select made_id from creation_keys where user_id = $1 and key = $2 and contract = $3',
      [currentUser().sub, key, name],
    );
    return found.length > 0;
  }

  /** Keyed: the body may hold a password. */
  private hashOf({ name }: Contract, input: object): string {
    return this.keyRing.hash(JSON.stringify(input), `creation|${name}`);
  }
}
