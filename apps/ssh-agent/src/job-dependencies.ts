import type { SshAccess } from '@vigie/contracts/credentials';
import type { FileStore } from '@vigie/files/file-store';
import type { Kit } from '@vigie/service-kit/bootstrap';
import type { OutboundRule } from './site-checks/guarded-request';

/** What a job needs besides the host of its site. */
export type JobDependencies = {
  bus: Pick<Kit['bus'], 'call'>;
  openStore: () => Promise<FileStore>;
  /** The addresses that a visit on behalf of an owner may connect to. */
  ruleFor: (owner: Pick<SshAccess, 'allows_private'>) => OutboundRule;
  /** The address that replaces the API of WordPress.org. */
  api: string | null;
};
