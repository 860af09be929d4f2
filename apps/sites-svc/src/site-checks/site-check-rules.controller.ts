import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { readSiteCheckRules, saveSiteCheckRules, type SiteCheckRules } from '@vigie/contracts/site-check-rules';
import { Handles } from '@vigie/service-kit/handles';
import { DataSource, type EntityManager } from 'typeorm';
import { recordAuditEvent } from '../activity/audit-events';
import { lockIncidents } from '../incidents/conditions';
import { closeIncident } from '../incidents/end-incidents';
import { callerName } from '../owners/caller-name';
import { findSite, keepSite } from '../sites/find-site';
import { visitSoon } from '../sweeps/schedule';

const noRules: SiteCheckRules = { expected_text: null, redirects_to: null, found: null };

/** What a site must show. */
@Controller()
export class SiteCheckRulesController {
  constructor(private readonly database: DataSource) {}

  @Handles(readSiteCheckRules)
  async read({ id }: Input<typeof readSiteCheckRules>): Promise<SiteCheckRules> {
    const { manager } = this.database;
    await findSite(manager, id);
    return findRules(manager, id);
  }

  @Handles(saveSiteCheckRules)
  async save({ id, ...rules }: Input<typeof saveSiteCheckRules>): Promise<SiteCheckRules> {
    return this.database.transaction(async (manager) => {
      const site = await keepSite(manager, id);
      await lockIncidents(manager);
      const before = await findRules(manager, id, 'for update');
      const { expected_text: text, redirects_to: target } = rules;
      if (before.expected_text === text && before.redirects_to === target) return before;
      await store(manager, id, rules);
      await forgetContent(manager, id);
      await visitSoon(manager, [id]);
      await recordAuditEvent(manager, { type: 'site_edit', site, details: rules });
      return findRules(manager, id);
    });
  }
}

async function findRules(manager: EntityManager, id: string, lock: '' | 'for update' = ''): Promise<SiteCheckRules> {
  const [rules]: SiteCheckRules[] = await manager.query(
    `select expected_text, redirects_to, found from site_check_rules where site_id = $1 ${lock}`,
    [id],
  );
  return rules ?? noRules;
}

type Rules = Omit<SiteCheckRules, 'found'>;

/** What was found by the rules before says nothing about the new ones. */
async function store(manager: EntityManager, id: string, { expected_text: text, redirects_to: target }: Rules) {
  if (text === null && target === null) {
    await manager.query('delete from site_check_rules where site_id = $1', [id]);
    return;
  }
  await manager.query(
    `insert into site_check_rules (site_id, expected_text, redirects_to) values ($1, $2, $3)
     on conflict (site_id) do update
       set expected_text = excluded.expected_text, redirects_to = excluded.redirects_to, found = null`,
    [id, text, target],
  );
}

/** Visits count from the start by new rules: who changed them closes what is open about the ones before. */
async function forgetContent(manager: EntityManager, siteId: string): Promise<void> {
  await manager.query("delete from conditions where subject_id = $1 and kind = 'content'", [siteId]);
  const open: { id: string }[] = await manager.query(
    `select id from incidents where cause_id = $1 and kind = 'content' and resolved_at is null`,
    [siteId],
  );
  for (const { id } of open) await closeIncident(manager, id, callerName());
}
