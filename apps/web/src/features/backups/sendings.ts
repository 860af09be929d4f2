import { backupCodes, beginBackupUpload, LocalBackup } from '@vigie/contracts/backups';
import { Sendings } from '../../app/sendings';
import { store } from '../../app/store';
import { backupsApi, ofSite } from './backups.api';
import { notWpress, uploadFailed } from './words';

const { filename } = beginBackupUpload.input.shape;

type ForSite = { site: string };

export const sendings = new Sendings<ForSite>({
  refusalOf: ({ name }) => (/.\.wpress$/i.test(name) ? filename.safeParse(name).error?.issues[0]?.message : notWpress),
  callOf: ({ key, site }) => ({ path: `${ofSite(site)}/upload`, output: LocalBackup, idempotencyKey: key }),
  onLeft: () => void store.dispatch(backupsApi.util.invalidateTags(['backups'])),
  existsCode: backupCodes.exists,
  failed: uploadFailed,
});
