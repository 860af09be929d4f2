import { type Question, uploadsApi } from '../features/uploads/uploads.api';

/** The archives that can be installed, newest first. */
export const useUploads = (question: Question) =>
  uploadsApi.useUploadsQuery(question, { refetchOnMountOrArgChange: true });
