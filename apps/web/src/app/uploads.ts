import { type UploadsParams, uploadsApi } from '../features/uploads/uploads.api';

/** The archives that can be installed, newest first. */
export const useUploads = (question: UploadsParams) =>
  uploadsApi.useUploadsQuery(question, { refetchOnMountOrArgChange: true });
