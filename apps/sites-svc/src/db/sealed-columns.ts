import { ChannelKind, importChannel } from '@vigie/contracts/channels';
import { importCredential, SshAddress } from '@vigie/contracts/credentials';
import { SealedText } from '@vigie/contracts/text';
import type { Bus } from '@vigie/service-kit/bus';
import type { SealedColumn } from '@vigie/service-kit/resealer';

/** Credentials and targets that only agents can open and reseal. Copies in running jobs are deleted when the job ends. */
export const sealedColumns = (bus: Bus): readonly SealedColumn[] => [
  credentialOf(bus, 'servers', (row) => ({ host: row['host'], port: row['port'], user: row['login'] })),
  credentialOf(bus, 'sites', (row) => row['credential_for']),
  {
    table: 'channels',
    id: 'id',
    column: 'target',
    reader: 'ssh-agent',
    reseal: async (row) => {
      const [kind, current] = [ChannelKind.parse(row['kind']), SealedText.parse(row['target'])];
      const { target } = await bus.call(importChannel, { channel_id: String(row['id']), kind, current });
      return target;
    },
  },
];

function credentialOf(
  bus: Bus,
  table: 'servers' | 'sites',
  addressOf: (row: Record<string, unknown>) => unknown,
): SealedColumn {
  return {
    table,
    id: 'id',
    column: 'credential',
    reader: 'ssh-agent',
    reseal: async (row) => {
      const target = SshAddress.parse(addressOf(row));
      const current = { credential: SealedText.parse(row['credential']), address: target };
      const { credential } = await bus.call(importCredential, {
        row: { table, id: String(row['id']) },
        target,
        current,
      });
      return credential;
    },
  };
}
