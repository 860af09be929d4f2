import { listLocalBackups } from '@vigie/contracts/backups';
import { applyUpdates, Item, planUpdates } from '@vigie/contracts/changes';
import type { Contract, Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { createProposal, maxProposalLines } from '@vigie/contracts/proposals';
import { restoreBackup } from '@vigie/contracts/restores';
import { backupSites, planSiteBatch } from '@vigie/contracts/site-batches';
import { readSite } from '@vigie/contracts/sites';
import { id } from '@vigie/contracts/text';
import type { Bus } from '@vigie/service-kit/bus';
import { z } from 'zod';

const noItem = { kind: null, slug: null, site_url: null };

type Proposed = Omit<Input<typeof createProposal>, 'reason' | 'named_site_ids'> & {
  named_site_ids?: string[];
};

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
      return { order: 'updates', input: { targets }, plan: lines.map((line) => ({ ...line, site_url: null })), notes };
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
        site_id,
        site_name,
        ...noItem,
        from: null,
        to: null,
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
];

const restoredParts = {
  all: 'tout le site',
  database: 'la base de données',
  uploads: 'les fichiers envoyés',
  plugins: 'les plugins',
  themes: 'les thèmes',
};

type Restore = { site_id: string; filename: string; mode: 'merge' | 'replace'; scope: keyof typeof restoredParts };

/** Bound to the content of the archive by its hash: an archive on a host has none, so it cannot be proposed. */
async function planRestore(bus: Bus, { site_id, filename, mode, scope }: Restore): Promise<Proposed> {
  const [site, { items }] = await Promise.all([
    bus.call(readSite, { id: site_id }),
    bus.call(listLocalBackups, { id: site_id, filename, limit: 1 }),
  ]);
  const [archive] = items;
  if (!archive) throw new AppError('not_found', 'Vigie ne garde aucune sauvegarde de ce nom.');
  // A site that is gone is shared with nobody: it is not named.
  const isForeign = archive.site_id !== site_id;
  const foreignId = isForeign ? archive.site_id : null;
  const origin = foreignId === null ? '.' : `\u00a0: ${archive.site_name}.`;
  const line = {
    site_id,
    site_name: site.name,
    ...noItem,
    name: filename,
    from: null,
    to: null,
    refusal: null,
    warnings: isForeign ? [`Cette sauvegarde est celle d’un autre site${origin}`] : [],
  };
  const notes = [
    `Restaure ${restoredParts[scope]} depuis la sauvegarde du ${archive.created}.`,
    mode === 'replace'
      ? 'Ce qui n’est pas dans la sauvegarde est supprimé du site.'
      : 'Ce qui n’est pas dans la sauvegarde reste sur le site.',
    'Vigie sauvegarde d’abord le site tel qu’il est.',
  ];
  const input = { id: site_id, filename, location: 'local', expected_sha256: archive.sha256, mode, scope };
  return { order: 'restore', input, plan: [line], named_site_ids: foreignId === null ? [] : [foreignId], notes };
}

const tooMany = (count: number) =>
  new AppError(
    'too_large',
    `Ce plan a ${count} lignes\u00a0: une proposition en compte ${maxProposalLines} au plus. Choisissez moins de sites.`,
  );
