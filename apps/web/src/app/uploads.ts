import { uploadsApi } from '../features/uploads/uploads.api';

/** The archives that can be installed. */
export const useUploads = () => uploadsApi.useUploadsQuery(undefined, { refetchOnMountOrArgChange: true });
