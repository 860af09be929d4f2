import type { Input } from '@vigie/contracts/contract';
import { connectionFailed } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import type { CommandInput, CommandKind, runCommand } from '@vigie/contracts/site-commands';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { owns } from '../owners/owner-filter';
import type { JobRequest } from '../queue/jobs';
import { isCredentialRefused, siteAccess, siteTarget, toSiteToRead } from '../sites/site-access';
import type { SiteContext, SiteContexts } from '../sites/site-contexts';
import { findAllowedSites, reachesMore } from './may-run';

type Command = Pick<Input<typeof runCommand>, 'kind' | 'command' | 'timeout_seconds'>;
export type CommandRequest = JobRequest & { input: CommandInput };

const byName = new Intl.Collator('fr', { numeric: true, sensitivity: 'base' });

/** The sites by their names, with the reason why a command may not run there. */
export async function planCommandOn(manager: EntityManager, contexts: SiteContexts) {
  const allowed = await findAllowedSites(manager, [...contexts.keys()]);
  return [...contexts.values()]
    .map((context) => ({ context, refusal: refusalOf(context, allowed) }))
    .toSorted(
      ({ context: { site: a } }, { context: { site: b } }) =>
        byName.compare(a.name, b.name) || a.id.localeCompare(b.id),
    );
}

/** The jobs that would run the command. */
export async function toCommandRequests(
  manager: EntityManager,
  contexts: SiteContexts,
  command: Command,
): Promise<CommandRequest[]> {
  const { adminMode, token, sid } = currentUser();
  return (await planCommandOn(manager, contexts)).map(({ context, refusal }) => ({
    kind: 'commands.run' as const,
    target: siteTarget(context),
    about: aboutOf(command),
    input: {
      site: toSiteToRead(context.site),
      ...command,
      as_admin: adminMode,
      token_id: token === undefined ? null : sid,
    },
    queue: 'site-commands' as const,
    isExclusive: true,
    // One on a server at a time, so that its other places stay free for other work.
    isHeavy: true,
    refusal,
  }));
}

function refusalOf(context: SiteContext, allowed: ReadonlySet<string>): AppError | undefined {
  const { site } = context;
  const access = siteAccess(context, false);
  // A grant shows nothing of a connection.
  if (access instanceof AppError) return owns(site) ? access : new AppError('conflict', connectionFailed);
  if (access.host_key === null && !owns(site))
    return new AppError('conflict', 'Testez d’abord la connexion de ce site.');
  if (!allowed.has(site.id)) return new AppError('forbidden', reachesMore);
  if (!isCredentialRefused(context)) return undefined;
  const sentence = 'Ses identifiants SSH ont été refusés\u00a0: testez d’abord sa connexion.';
  return new AppError('conflict', owns(site) ? sentence : connectionFailed);
}

const maxAboutLength = 80;
const names: Readonly<Record<CommandKind, string>> = { shell: '$ ', wp: 'wp ' };

/** The command on one line, shortened. */
export function aboutOf({ kind, command }: Pick<Command, 'kind' | 'command'>): string {
  const line = command.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  const text = `${names[kind]}${kind === 'wp' ? line.replace(/^wp /, '') : line}`;
  return text.length > maxAboutLength ? `${text.slice(0, maxAboutLength).replace(/[\uD800-\uDBFF]$/u, '')}…` : text;
}

export function noCommandPossible([first]: readonly JobRequest[]): AppError {
  return new AppError(
    'conflict',
    `La commande ne peut être lancée sur aucun de ces sites. ${first?.target.name}\u00a0: ${first?.refusal?.message}`,
  );
}

/** Refuses an order that would not do what its plan has shown. */
export function requireExpected(requests: readonly CommandRequest[], expected: readonly string[]): void {
  const possible = new Set(requests.flatMap(({ target, refusal }) => (refusal ? [] : target.id)));
  const wanted = new Set(expected);
  if (possible.size === wanted.size && [...possible].every((id) => wanted.has(id))) return;
  throw new AppError(
    'conflict',
    'Les sites où la commande peut être lancée ont changé depuis que vous les avez vus\u00a0: relisez la liste.',
  );
}
