import { createUpload, maxUploadBytes, Upload, type PackageKind } from '@vigie/contracts/uploads';
import { UploadQueue } from '../../kit/uploads/upload-queue';
import { store } from '../../kit/store';
import { fileCallOf } from '../../kit/query/endpoints';
import { uploadsApi } from './uploads.api';
import { uploadFailed } from './words';

type Archive = {
  kind: PackageKind;
  /** Null: the archive has no version. Undefined: not read yet. */
  version: string | null | undefined;
  replaces: boolean;
};

const notZip = 'Seules les archives .zip sont acceptées\u00a0: choisissez un fichier .zip.';
const tooLarge = 'Une archive compte au plus 512\u00a0Mo\u00a0: retirez-en ce qui ne sert pas au site.';

export const queue = new UploadQueue<Archive>({
  validate: ({ name, size }) => (/.\.zip$/i.test(name) ? (size > maxUploadBytes ? tooLarge : undefined) : notZip),
  // Refuses an invalid archive before its bytes are sent: it may be half a gigabyte.
  prepare: async ({ file, kind }, learn) => {
    const { readPackageHeader } = await import('./readPackageHeader');
    const header = await readPackageHeader(file, kind);
    if (header) learn({ version: header.version });
  },
  buildCall: ({ key, kind, replaces }) =>
    fileCallOf(createUpload, { type: kind, ...(replaces && { replace: '1' }) }, replaces ? `${key}-r` : key),
  onSent: () => void store.dispatch(uploadsApi.util.invalidateTags([...createUpload.changes])),
  onDone: (answer, learn) => learn({ version: Upload.parse(answer).version }),
  existsCode: 'upload_exists',
  failureMessage: uploadFailed,
});
