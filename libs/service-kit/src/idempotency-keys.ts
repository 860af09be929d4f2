import { Injectable } from '@nestjs/common';
import type { Contract } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { EntityManager, QueryRunner } from 'typeorm';
import { currentContext, currentUser } from './context';
import { KeyRing } from './key-ring';

/** Runs in the first migration of a service that creates something for a user, and must never change. */
export const createIdempotencyKeys = (runner: QueryRunner) =>
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

/** Makes a creation that is requested twice under the same `Idempotency-Key` happen once. */
@Injectable()
export class IdempotencyKeys {
  constructor(private readonly keyRing: KeyRing) {}

  /**
   * Returns the id that this key created before, or claims the key for `createdId` and returns undefined. Runs in the
   * transaction of the creation; a second request waits here until the first one ends.
   */
  async claim(
    manager: EntityManager,
    contract: Contract,
    input: object,
    createdId: string,
  ): Promise<string | undefined> {
    const claim = this.claimOf(contract, input);
    if (!claim || (await this.save(manager, claim, createdId))) return undefined;
    return this.find(manager, contract, input);
  }

  /** Returns the claim of the current request, for a creation that may end after the request. */
  claimOf(contract: Contract, input: object): Claim | undefined {
    const key = currentContext()?.idempotencyKey;
    if (key === undefined) return undefined;
    return { userId: currentUser().sub, key, contract: contract.name, bodyHash: this.hashOf(contract, input) };
  }

  /** Saves a claim; returns false when the key was used before. */
  async save(manager: EntityManager, claim: Claim, createdId: string): Promise<boolean> {
    const { userId, key, contract, bodyHash } = claim;
    const rows: unknown[] = await manager.query(
      `insert into creation_keys (user_id, key, contract, body_hash, made_id) values ($1, $2, $3, $4, $5)
       on conflict (user_id, key) do nothing returning key`,
      [userId, key, contract, bodyHash, createdId],
    );
    return rows.length > 0;
  }

  /** Returns the id that this key created before, for a creation outside a transaction. */
  async find(manager: EntityManager, contract: Contract, input: object): Promise<string | undefined> {
    const key = currentContext()?.idempotencyKey;
    if (key === undefined) return undefined;
    const [saved]: { contract: string; body_hash: string; made_id: string }[] = await manager.query(
      'select contract, body_hash, made_id from creation_keys where user_id = $1 and key = $2',
      [currentUser().sub, key],
    );
    if (!saved) return undefined;
    if (saved.contract === contract.name && saved.body_hash === this.hashOf(contract, input)) return saved.made_id;
    throw new AppError('schema', 'Cette clé d’idempotence a déjà servi pour une autre demande.');
  }

  async isUsed(manager: EntityManager, { name }: Contract): Promise<boolean> {
    const key = currentContext()?.idempotencyKey;
    if (key === undefined) return false;
    const rows: unknown[] = await manager.query(
      'select made_id from creation_keys where user_id = $1 and key = $2 and contract = $3',
      [currentUser().sub, key, name],
    );
    return rows.length > 0;
  }

  /** A keyed hash, because the body may contain a password. */
  private hashOf({ name }: Contract, input: object): string {
    return this.keyRing.hash(JSON.stringify(input), `creation|${name}`);
  }
}
