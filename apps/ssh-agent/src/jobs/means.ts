import type { SshAccess } from '@vigie/contracts/credentials';
import type { FileStore } from '@vigie/files/file-store';
import type { Kit } from '@vigie/service-kit/bootstrap';
import type { Rule } from '../site-looks/visit';

/** What a job takes beside the host of its site. */
export type JobMeans = {
  bus: Pick<Kit['bus'], 'call'>;
  openStore: () => Promise<FileStore>;
  /** The addresses that a look on behalf of an owner may go to. */
  ruleFor: (owner: Pick<SshAccess, 'allows_private'>) => Rule;
  /** What stands for WordPress.org. */
  api: string | null;
};
