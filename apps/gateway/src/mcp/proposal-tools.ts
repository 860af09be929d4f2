import { applyUpdates, Item, planUpdates, restoreItem } from '@vigie/contracts/changes';
import type { Contract } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { maxProposalLines } from '@vigie/contracts/proposals';
import { restoreBackup } from '@vigie/contracts/restores';
import { backupSites, planSiteBatch } from '@vigie/contracts/site-batches';
import { Repair, repairSite } from '@vigie/contracts/site-repairs';
import { id } from '@vigie/contracts/text';
import type { Bus } from '@vigie/service-kit/bus';
import { z } from 'zod';
import { noItem, type Proposed } from './proposed';
import { planRepair, planRestore, planRollback } from './single-site-plans';

/** A tool that asks the product's own plan, and stores it with the order that would carry it out. */
export type ProposalTool = {
  name: string;
  title: string;
  description: string;
  /** The order, whose scope the token needs. */
  contract: Contract;
  arguments: z.ZodObject;
  plan: (bus: Bus, fields: Record<string, unknown>) => Promise<Proposed>;
};

const reason = z
  .string()
  .max(1_000)
  .default('')
  .describe('Why, in one or two French sentences: the person who decides reads it as the words of the assistant.');
const siteIds = z.array(id).min(1).max(100);
const nothingChanges =
  'Changes nothing: answers the address where the person sees the plan and confirms it within an hour.';

function proposalTool<A extends z.ZodRawShape>(
  name: string,
  shape: Omit<ProposalTool, 'name' | 'arguments' | 'plan'> & {
    arguments: A;
    plan: (bus: Bus, fields: z.output<z.ZodObject<A>>) => Promise<Proposed>;
  },
): ProposalTool {
  const description = `${shape.description} ${nothingChanges}`;
  return {
    name,
    ...shape,
    description,
    arguments: z.strictObject({ ...shape.arguments, reason }),
  } as unknown as ProposalTool;
}

export const proposalTools: readonly ProposalTool[] = [
  proposalTool('propose_updates', {
    title: 'Proposer des mises à jour',
    description: 'Proposes the waiting updates of these sites, or only those of these items.',
    contract: applyUpdates,
    arguments: { site_ids: siteIds, items: z.array(Item).min(1).max(maxProposalLines).optional() },
    plan: async (bus, { site_ids, items }) => {
      const { items: lines, notes, left_out: leftOut } = await bus.call(planUpdates, { site_ids, items });
      if (lines.length === 0)
        throw new AppError('conflict', 'Rien à mettre à jour, d’après la dernière lecture des sites.');
      if (leftOut > 0 || lines.length > maxProposalLines) throw tooMany(lines.length + leftOut);
      const targets = lines
        .filter(({ refusal }) => refusal === null)
        .map(({ site_id, kind, slug, from, to }) => ({ site_id, kind, slug, expected: { from, to } }));
      return { order: 'updates', input: { targets }, plan: lines.map((line) => ({ ...noItem, ...line })), notes };
    },
  }),
  proposalTool('propose_backups', {
    title: 'Proposer des sauvegardes',
    description: 'Proposes a backup of each of these sites, on its own host.',
    contract: backupSites,
    arguments: { site_ids: siteIds, exclude_cache: z.boolean().default(true) },
    plan: async (bus, { site_ids, exclude_cache }) => {
      const { items } = await bus.call(planSiteBatch, { verb: 'backup', ids: site_ids });
      const ids = items.filter(({ refusal }) => refusal === null).map((line) => line.site_id);
      const plan = items.map(({ site_id, site_name, warning, refusal }) => ({
        ...noItem,
        site_id,
        site_name,
        refusal,
        name: exclude_cache ? 'Nouvelle sauvegarde, sans le cache' : 'Nouvelle sauvegarde',
        warnings: warning === null ? [] : [warning],
      }));
      return { order: 'backups', input: { ids, exclude_cache }, plan, notes: [] };
    },
  }),
  proposalTool('propose_restore', {
    title: 'Proposer une restauration',
    description: 'Proposes to restore one backup that Vigie keeps ("Local") onto one site.',
    contract: restoreBackup,
    arguments: {
      site_id: id,
      filename: z.string().max(200),
      mode: z.enum(['merge', 'replace']).default('merge'),
      scope: z.enum(['all', 'database', 'uploads', 'plugins', 'themes']).default('all'),
    },
    plan: planRestore,
  }),
  proposalTool('propose_rollback', {
    title: 'Proposer un retour à la version précédente',
    description:
      'Proposes to return one item of one site to its previous version. read_site says which have one ("previous"): Vigie keeps it for a week.',
    contract: restoreItem,
    arguments: { site_id: id, item: Item },
    plan: planRollback,
  }),
  proposalTool('propose_repair', {
    title: 'Proposer une réparation',
    description:
      'Proposes one repair that a check of a broken site offers. A person starts the check in Vigie ("Site cassé ?"); list_jobs and read_job show it (kind site-repairs.look). Pass its id, and one "repair" of its "proposals" or "aside" as it stands there.',
    contract: repairSite,
    arguments: { site_id: id, check_job_id: id, repair: Repair },
    plan: planRepair,
  }),
];

const tooMany = (count: number) =>
  new AppError(
    'too_large',
    `Ce plan a ${count} lignes\u00a0: une proposition en compte ${maxProposalLines} au plus. Choisissez moins de sites.`,
  );
