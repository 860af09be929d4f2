import { randomBytes } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { linkBackup, openLink } from '@vigie/contracts/backups';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { Handles } from '@vigie/service-kit/handles';
import { hashToken } from '@vigie/service-kit/tokens';
import { DataSource, type EntityManager } from 'typeorm';
import { lockOwner } from '../owners/owners';
import { findSite } from '../sites/find-site';
import { findLocalBackup, type LocalBackup } from './local-backup.entity';
import { OpenArchives } from './open-archives';

const openSeconds = 60;
const validSeconds = 3_600;

/** A user's oldest links are deleted first; a running download does not need its link any more. */
const maxLinks = 100;

type LinkedPart = Pick<OpenedLink, 'filename' | 'at' | 'length' | 'crc'>;
type OpenedLink = Output<typeof openLink>;
type Row = Omit<OpenedLink, 'size' | 'at' | 'length'> & { size: string; at: string; length: string };

/** Links for browsers, which send no bearer token with a download. */
@Controller()
export class BackupLinksController {
  constructor(
    private readonly database: DataSource,
    private readonly archives: OpenArchives,
  ) {}

  @Handles(linkBackup)
  async link({ id: siteId, filename, path, kind }: Input<typeof linkBackup>) {
    const { manager } = this.database;
    const backup = await findLocalBackup(manager, { site: await findSite(manager, siteId), filename });
    const part = path === '' ? wholeArchive(backup) : await this.archives.locate(backup, { path, kind });
    const token = randomBytes(32).toString('base64url');
    await this.database.transaction((transaction) => this.addLink(transaction, backup.id, hashToken(token), part));
    return { token };
  }

  private async addLink(manager: EntityManager, backupId: string, hash: string, part: LinkedPart): Promise<void> {
    const userId = await lockOwner(manager);
    await manager.query(
      `insert into backup_links (token_hash, backup_id, user_id, filename, at, length, crc, open_until)
       values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))`,
      [hash, backupId, userId, part.filename, part.at, part.length, part.crc, openSeconds],
    );
    await manager.query(
      `delete from backup_links where token_hash in (
         select token_hash from backup_links where user_id = $1 order by open_until desc, token_hash offset $2)`,
      [userId, maxLinks],
    );
  }

  /** The link itself is the permission: no session is checked. It ends with the grant that it was made by. */
  @Handles(openLink)
  async open({ token_hash: hash }: Input<typeof openLink>): Promise<OpenedLink> {
    const [[part]]: [Row[], number] = await this.database.query(
      `update backup_links l set good_until = coalesce(good_until, now() + make_interval(secs => $2))
       from local_backups b
       where l.token_hash = $1 and b.id = l.backup_id and coalesce(l.good_until, l.open_until) > now()
         and (b.owner_id = l.user_id or b.site_id in (select g from granted_sites(l.user_id, 'operator') g)
           or exists (select from owners o where o.user_id = l.user_id and o.is_admin))
       returning b.object_key as key, b.size, b.sha256, l.filename, l.at, l.length, l.crc, l.user_id`,
      [hash, validSeconds],
    );
    if (!part) throw linkExpired();
    return { ...part, size: Number(part.size), at: Number(part.at), length: Number(part.length) };
  }
}

const wholeArchive = ({ filename, size }: LocalBackup) => ({ filename, at: 0, length: size, crc: null });

const linkExpired = () =>
  new AppError('not_found', 'Ce lien n’est plus valable\u00a0: demandez de nouveau le téléchargement dans Vigie.');
