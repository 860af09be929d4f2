import { Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { FileStore, type StoredFile } from '@vigie/files/file-store';
import { currentUser } from '@vigie/service-kit/context';
import { FairSlots } from '@vigie/service-kit/fair-slots';
import type { FastifyRequest } from 'fastify';
import { requireSession } from '../auth.guard';
import { SessionCache } from '../session-cache';
import { pacedBody } from './paced-body';
import { openFormFile } from './form-file';

/** Uploads at once: each is long, and keeps a connection and a file open. */
const maxAtOnce = 64;

type Destination = { key: string; most: number };
type UploadSteps<T> = {
  /** Checks whether a file of this name and size may be uploaded, and returns where to store it. */
  begin: (filename: string, announced: number) => Promise<Destination>;
  /** Records the file, which is in the store now. */
  keep: (filename: string, stored: StoredFile & { key: string }) => Promise<T>;
};

/** Streams uploaded files into the store. */
@Injectable()
export class FileReceiver {
  private readonly slots = new FairSlots(maxAtOnce);

  constructor(
    private readonly store: FileStore,
    private readonly sessions: SessionCache,
  ) {}

  /** Checks permission and space before the first byte of the file. A file that is refused leaves nothing in the store. */
  async receive<T>(request: FastifyRequest, steps: UploadSteps<T>): Promise<T> {
    const announced = contentLengthOf(request);
    const release = this.slots.acquire(currentUser().sub);
    if (!release) throw tooMany();
    const body = pacedBody(request.raw);
    try {
      const { filename, content } = await openFormFile(body, request.headers['content-type'] ?? '');
      const { key, most: max } = await steps.begin(filename, announced);
      const stored = await this.store.write(key, content, max);
      // The upload may have taken long, and the user may have been logged out meanwhile.
      await requireSession(this.sessions, request, { skipsCache: true }).catch(async (error: unknown) => {
        await this.store.delete(key);
        throw error;
      });
      return await steps.keep(filename, { key, ...stored });
    } finally {
      release();
      await body.return(undefined);
    }
  }
}

const tooMany = () =>
  new AppError('too_many', 'Trop de fichiers sont envoyés à la fois. Attendez la fin d’un envoi, puis recommencez.', {
    retryAfter: 5,
  });

function contentLengthOf({ headers }: FastifyRequest): number {
  const length = headers['content-length'];
  if (length === undefined) throw new AppError('invalid', 'Annoncez la longueur de l’envoi (en-tête Content-Length).');
  return Number(length);
}
