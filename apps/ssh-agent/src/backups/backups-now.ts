import { isUsableName, type listHostBackups, type removeBackup } from '@vigie/contracts/backups';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { answerOf } from '@vigie/contracts/job-errors';
import { cleanText } from '@vigie/wordpress/clean';
import type { Connections } from '../connections';
import { failureOf } from '../sites/site-host';
import { SiteFolder } from './site-folder';

/** Less than whoever asks waits. */
const maxMs = 18_000;

/** Not the class itself: it takes the environment of an agent to be imported. */
type Uses = Pick<Connections, 'use'>;

export async function lookNow(
  connections: Uses,
  input: Input<typeof listHostBackups>,
): Promise<Output<typeof listHostBackups>> {
  const { folder, files, free } = await onSite(connections, input, (site) => site.look());
  const items = files.map(({ name, ...file }) => ({
    ...file,
    filename: cleanText(name, 255),
    is_usable: isUsableName(name),
  }));
  return { folder, items, free };
}

export async function removeNow(connections: Uses, { filename, ...input }: Input<typeof removeBackup>) {
  const wasThere = await onSite(connections, input, (site) => site.remove(filename));
  if (!wasThere) throw new AppError('not_found', 'Cette sauvegarde n’est plus sur le serveur du site.');
  return {};
}

async function onSite<T>(
  connections: Uses,
  { access, site, content }: Input<typeof listHostBackups>,
  work: (folder: SiteFolder) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(maxMs);
  const onHost: ConstructorParameters<typeof SiteFolder>[0] = (doing, signal) =>
    connections.use(access, { signal, work: doing });
  try {
    return await work(new SiteFolder(onHost, { site, content }, late));
  } catch (error) {
    if (late.aborted) throw new AppError('remote_too_slow', 'Le serveur du site n’a pas répondu à temps.');
    const failure = failureOf(error);
    throw failure ? answerOf(failure) : error;
  }
}
