import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { retryAtStart } from '@vigie/service-kit/database';
import { makeLog } from '@vigie/service-kit/log';
import { v7 as uuid } from 'uuid';
import { DataSource, type EntityManager } from 'typeorm';
import { env } from '../env';
import { Passwords } from '../passwords/passwords';
import { lockFirstUser } from './lock-user';
import { User } from './user.entity';

const defaultEmail = 'admin@localhost';

@Injectable()
export class FirstAdmin implements OnApplicationBootstrap {
  private readonly log = makeLog('auth-svc', env.VIGIE_LOG_LEVEL);

  constructor(
    private readonly database: DataSource,
    private readonly passwords: Passwords,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // Without a password and without a folder to write a random one to, the first sign-up becomes the administrator.
    if (!env.VIGIE_ADMIN_PASSWORD && !env.VIGIE_HOME) return;
    await retryAtStart(() => this.database.transaction((manager) => this.create(manager)), this.log);
  }

  private async create(manager: EntityManager): Promise<void> {
    await lockFirstUser(manager);
    if (await manager.exists(User)) return;
    const email = env.VIGIE_ADMIN_EMAIL ?? defaultEmail;
    const password = env.VIGIE_ADMIN_PASSWORD ?? (await writeRandomPassword(email));
    const passwordHash = await this.passwords.hash(password);
    await manager.insert(User, { id: uuid(), email, passwordHash, role: 'admin', firstName: null, lastName: null });
  }
}

/** Writes the password for the person who starts Vigie the first time. */
async function writeRandomPassword(email: string): Promise<string> {
  const password = randomBytes(12).toString('base64url');
  const path = firstPasswordFile(env.VIGIE_HOME ?? '.');
  await writeFile(`${path}.part`, `${JSON.stringify({ email, password })}\n`, { mode: 0o600 });
  await rename(`${path}.part`, path);
  return password;
}

const firstPasswordFile = (home: string) => join(home, 'first-admin.json');

export async function deleteFirstPassword(email: string): Promise<void> {
  if (!env.VIGIE_HOME) return;
  const file = firstPasswordFile(env.VIGIE_HOME);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined && JSON.parse(text).email === email) await rm(file, { force: true });
}
