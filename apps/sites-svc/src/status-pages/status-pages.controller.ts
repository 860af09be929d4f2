import { randomBytes } from 'node:crypto';
import { Controller } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import {
  deleteStatusPage,
  type PublicStatus,
  readStatusPage,
  renewStatusPage,
  saveStatusPage,
  viewStatusPage,
} from '@vigie/contracts/status-pages';
import { Handles } from '@vigie/service-kit/handles';
import { hashToken } from '@vigie/service-kit/tokens';
import { DataSource } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { recordAuditEvent } from '../activity/audit-events';
import { findGroup } from '../groups/group.entity';
import { callerName } from '../owners/caller-name';
import { findPage, findPublicPage, keepOwner, pageColumns, type PageRow, toStatusPage } from './find-page';
import { findStatus } from './find-status';
import { StatusCache } from './status-cache';

const newSecret = (): string => randomBytes(32).toString('base64url');

/** Public pages of groups. Their contracts name no role: a page is its owner's to publish, even where the group is shared. */
@Controller()
export class StatusPagesController {
  constructor(
    private readonly database: DataSource,
    private readonly cache: StatusCache,
  ) {}

  @Handles(readStatusPage)
  async read({ id }: Input<typeof readStatusPage>): Promise<Output<typeof readStatusPage>> {
    const { manager } = this.database;
    await findGroup(manager, id);
    const page = await findPage(manager, id);
    return { page: page ? toStatusPage(page) : null };
  }

  @Handles(saveStatusPage)
  save({ id, title, shows_incidents: showsIncidents }: Input<typeof saveStatusPage>) {
    return this.database.transaction(async (manager) => {
      const group = await keepOwner(manager, id);
      const secret = newSecret();
      const [page]: (PageRow & { is_new: boolean })[] = await manager.query(
        `insert into status_pages as p (id, group_id, secret_hash, title, shows_incidents, created_by)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (group_id) do update set title = excluded.title, shows_incidents = excluded.shows_incidents
         returning ${pageColumns}, p.secret_hash = $3 as is_new`,
        [uuid(), id, hashToken(secret), title, showsIncidents, callerName()],
      );
      if (!page) throw notPublished();
      const type = page.is_new ? 'status_page_create' : 'status_page_edit';
      await recordAuditEvent(manager, { type, group, details: { title, shows_incidents: showsIncidents } });
      return { page: toStatusPage(page), secret: page.is_new ? secret : null };
    });
  }

  @Handles(renewStatusPage)
  renew({ id }: Input<typeof renewStatusPage>): Promise<Output<typeof renewStatusPage>> {
    return this.database.transaction(async (manager) => {
      const group = await keepOwner(manager, id);
      const secret = newSecret();
      const [[page]]: [PageRow[], number] = await manager.query(
        `update status_pages set secret_hash = $2 where group_id = $1 returning ${pageColumns}`,
        [id, hashToken(secret)],
      );
      if (!page) throw notPublished();
      await recordAuditEvent(manager, { type: 'status_page_renew', group });
      return { page: toStatusPage(page), secret };
    });
  }

  @Handles(deleteStatusPage)
  async delete({ id }: Input<typeof deleteStatusPage>) {
    await this.database.transaction(async (manager) => {
      const group = await keepOwner(manager, id);
      const [pages]: [unknown[], number] = await manager.query(
        'delete from status_pages where group_id = $1 returning id',
        [id],
      );
      if (pages.length > 0) await recordAuditEvent(manager, { type: 'status_page_delete', group });
    });
    return {};
  }

  /** The title and what is shown are read for each visit, since an edit holds at once. */
  @Handles(viewStatusPage)
  async view({ secret }: Input<typeof viewStatusPage>): Promise<PublicStatus> {
    const { manager } = this.database;
    const page = await findPublicPage(manager, hashToken(secret));
    const status = await this.cache.read(page.id, () => findStatus(manager, page.group_id));
    return { title: page.title, ...status, outages: page.shows_incidents ? status.outages : null };
  }
}

const notPublished = () => new AppError('not_found', 'Ce groupe n’a pas de page publique.');
