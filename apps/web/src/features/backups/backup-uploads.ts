import { backupCodes, beginBackupUpload, LocalBackup } from '@vigie/contracts/backups';
import { Sendings } from '../../app/sendings';
import { store } from '../../app/store';
import { backupsApi, sitePath } from './backups.api';
import { notWpress, uploadFailed } from './words';

const { filename } = beginBackupUpload.input.shape;

type ForSite = { siteId: string };

export const backupUploads = new Sendings<ForSite>({
  refusalOf: ({ name }) => (/.\.wpress$/i.test(name) ? filename.safeParse(name).error?.issues[0]?.message : notWpress),
  callOf: ({ key, siteId: site }) => ({ path: `${sitePath(site)}/upload`, output: LocalBackup, idempotencyKey: key }),
  onLeft: () => void store.dispatch(backupsApi.util.invalidateTags(['backups'])),
  existsCode: backupCodes.exists,
  failed: uploadFailed,
});
