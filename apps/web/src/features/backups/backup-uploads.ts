import { backupCodes, beginBackupUpload, createBackupUpload } from '@vigie/contracts/backups';
import { UploadQueue } from '../../kit/uploads/upload-queue';
import { store } from '../../kit/store';
import { fileCallOf } from '../../kit/query/endpoints';
import { backupsApi } from './backups.api';
import { notWpress, uploadFailed } from './words';

const { filename } = beginBackupUpload.input.shape;

type ForSite = { siteId: string };

export const backupUploads = new UploadQueue<ForSite>({
  validate: ({ name }) => (/.\.wpress$/i.test(name) ? filename.safeParse(name).error?.issues[0]?.message : notWpress),
  buildCall: ({ key, siteId }) => fileCallOf(createBackupUpload, { id: siteId }, key),
  onSent: () => void store.dispatch(backupsApi.util.invalidateTags([...createBackupUpload.changes])),
  existsCode: backupCodes.exists,
  failureMessage: uploadFailed,
});
