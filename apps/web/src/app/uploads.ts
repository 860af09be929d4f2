import { type Question, uploadsApi } from '../features/uploads/uploads.api';

/** The newest of the archives that can be installed. */
export const useUploads = (question: Question) =>
  uploadsApi.useUploadsQuery(question, { refetchOnMountOrArgChange: true });
