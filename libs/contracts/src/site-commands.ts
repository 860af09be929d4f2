import { z } from 'zod';
import { wpArguments } from './command-words';
import { contract } from './contract';
import { JobTicket } from './jobs';
import { maxSites } from './site-batches';
import { SiteJobInput } from './site-checks';
import { id, oneOf } from './text';

const ids = z.array(id).min(1, 'Choisissez au moins un site.').max(maxSites, `Choisissez ${maxSites} sites au plus.`);

/** `shell` is for /bin/sh; `wp` has the arguments of WP-CLI, which no shell reads. */
const CommandKind = oneOf(['shell', 'wp']);
export type CommandKind = z.infer<typeof CommandKind>;

export const maxCommandLength = 10_000;
export const commandSeconds = { min: 10, max: 3_600, usual: 300 } as const;

const secondsSentence = 'Le délai va de 10\u00a0secondes à une heure.';

const fields = {
  kind: CommandKind,
  command: z
    .string()
    .max(maxCommandLength, 'Une commande a 10\u202f000\u00a0caractères au plus.')
    .refine((text) => text.trim() !== '', 'Écrivez la commande.')
    .refine((text) => !text.includes('\0'), 'Une commande ne contient pas d’octet nul.')
    .refine((text) => !/\p{Cs}/u.test(text), 'Cette commande contient un caractère coupé en deux.'),
  timeout_seconds: z
    .int()
    .min(commandSeconds.min, secondsSentence)
    .max(commandSeconds.max, secondsSentence)
    .default(commandSeconds.usual),
};

type Fields = { kind?: CommandKind | undefined; command?: string | undefined };

/** Why WP-CLI cannot be given the command; undefined where it can. */
export function wpFault(command: string): string | undefined {
  const words = wpArguments(command);
  if (!words) return 'Un guillemet ou une barre oblique inverse n’est pas refermé dans cette commande.';
  return words.length === 0 ? 'Écrivez ce que WP-CLI doit faire, par exemple\u00a0: plugin list.' : undefined;
}

function checkWords({ kind, command = '' }: Fields, context: z.RefinementCtx): void {
  const fault = kind === 'wp' && command.trim() !== '' ? wpFault(command) : undefined;
  if (fault !== undefined) context.addIssue({ code: 'custom', path: ['command'], message: fault });
}

const CommandLine = z.object({
  site_id: id,
  site_name: z.string(),
  url: z.string(),
  /** Why the command will not run on the site; null where it will. */
  refusal: z.string().nullable(),
});
export type CommandLine = z.infer<typeof CommandLine>;

/** One line per site, by name. */
export const CommandPlan = z.object({ items: z.array(CommandLine) });
export type CommandPlan = z.infer<typeof CommandPlan>;

/** Says on which sites the command would run, from stored data. */
export const planCommand = contract('sites.site_commands.plan', {
  http: 'POST /api/sites/commands/plan',
  access: 'user',
  scope: 'run',
  grantRole: 'manager',
  input: z
    .object({ site_ids: ids, ...fields })
    // Which sites are left out does not depend on the command: a screen shows it before one is written.
    .partial({ kind: true, command: true, timeout_seconds: true })
    .superRefine(checkWords),
  output: CommandPlan,
  timeoutMs: 15_000,
});

/** Runs the command as one exclusive job per site. */
export const runCommand = contract('sites.site_commands.run', {
  http: 'POST /api/sites/commands',
  access: 'user',
  scope: 'run',
  grantRole: 'manager',
  answer: 'ticket',
  changes: ['jobs'],
  input: z
    .object({
      site_ids: ids,
      ...fields,
      /** The sites on which the plan said that the command would run: if it is no longer so, it runs nowhere. */
      expected: ids,
    })
    .superRefine(checkWords),
  output: JobTicket,
  timeoutMs: 15_000,
});

/** Input of the job `commands.run`. */
export const CommandInput = SiteJobInput.extend({
  kind: CommandKind,
  command: z.string(),
  timeout_seconds: z.int(),
  /** The command was requested in the admin mode. */
  as_admin: z.boolean(),
  /** The token by which it was requested, whose revocation stops it. */
  token_id: id.nullable().default(null),
});
export type CommandInput = z.infer<typeof CommandInput>;

/** Result of the job `commands.run`. Its output is in the log. */
export const CommandResult = z.object({
  exit_code: z.int().nullable(),
  /** Number of the signal that ended the command. */
  signal: z.int().nullable(),
  ms: z.int(),
  /** Bytes of output that were not kept. */
  truncated: z.int(),
});
export type CommandResult = z.infer<typeof CommandResult>;
