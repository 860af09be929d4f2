import { backupCodes, beginBackupUpload, LocalBackup } from '@vigie/contracts/backups';
import { UploadQueue } from '../../app/upload-queue';
import { store } from '../../app/store';
import { backupsApi, sitePath } from './backups.api';
import { notWpress, uploadFailed } from './words';

const { filename } = beginBackupUpload.input.shape;

type ForSite = { siteId: string };

export const backupUploads = new UploadQueue<ForSite>({
  validate: ({ name }) => (/.\.wpress$/i.test(name) ? filename.safeParse(name).error?.issues[0]?.message : notWpress),
  buildCall: ({ key, siteId }) => ({
    path: `${sitePath(siteId)}/upload`,
    output: LocalBackup,
    idempotencyKey: key,
  }),
  onSent: () => void store.dispatch(backupsApi.util.invalidateTags(['backups'])),
  existsCode: backupCodes.exists,
  failureMessage: uploadFailed,
});
