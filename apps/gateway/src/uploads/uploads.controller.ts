import { Controller, Req } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import { beginUpload, createUpload, maxUploadBytes } from '@vigie/contracts/uploads';
import { Bus } from '@vigie/service-kit/bus';
import type { FastifyRequest } from 'fastify';
import { checkInput, fixedFieldsOf, Serves } from '../routes';
import { FileReceiver } from './file-receiver';

/** The size of a form without its file, at most. */
const maxFormOverhead = 16 * 1024;

@Controller()
export class UploadsController {
  constructor(
    private readonly bus: Bus,
    private readonly files: FileReceiver,
  ) {}

  @Serves(createUpload)
  create(@Req() request: FastifyRequest) {
    refuseTooLarge(request);
    const fields = { ...fixedFieldsOf(createUpload, request), replace: Object(request.query).replace };
    return this.files.receive(request, {
      begin: (filename, announced) => {
        return this.bus.call(beginUpload, checkInput(beginUpload, { ...fields, filename, announced }));
      },
      keep: (filename, stored) => {
        return this.bus.call(createUpload, checkInput(createUpload, { ...fields, filename, ...stored }));
      },
    });
  }
}

function refuseTooLarge({ headers }: FastifyRequest): void {
  if (Number(headers['content-length'] ?? 0) <= maxUploadBytes + maxFormOverhead) return;
  throw new AppError(
    'too_large',
    'Une archive compte au plus 512\u00a0Mo\u00a0: retirez-en ce qui ne sert pas au site.',
  );
}
