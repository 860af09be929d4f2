import { Injectable, RequestMethod } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { Contract } from '@vigie/contracts/contract';
import type { z } from 'zod';
import { type Access, accessKey, answerKey, contractKey, fileKey } from './routes';

/** The metadata keys of Nest's route decorators. */
const pathKey = 'path';
const methodKey = 'method';

export type Route = {
  method: string;
  path: string;
  handler: string;
  access: Access | undefined;
  contract: Contract | undefined;
  answer: z.ZodType | undefined;
  takesFile: boolean;
};

/** Every route of the gateway, read from its controllers, for the check at start and for `/api/docs`. */
@Injectable()
export class RouteList {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  all(): Route[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => {
      if (!metatype) return [];
      const base: string = Reflect.getMetadata(pathKey, metatype) ?? '';
      const methods = this.scanner.getAllMethodNames(metatype.prototype);
      return methods.flatMap((name) => routeOf(base, metatype.name, name, metatype.prototype[name]));
    });
  }

  /** Routes without an access policy, with which the gateway must not start. */
  faults(): string[] {
    const unprotected = this.all().filter(({ access }) => access === undefined);
    return unprotected.map(({ method, path, handler }) => `${method} ${path} (${handler}) has no access policy`);
  }
}

function routeOf(base: string, controller: string, name: string, handler: object): Route[] {
  const path: string | undefined = Reflect.getMetadata(pathKey, handler);
  if (path === undefined) return [];
  const method = RequestMethod[Reflect.getMetadata(methodKey, handler)] ?? 'ALL';
  return [
    {
      method,
      path: `/${[base, path]
        .map((part) => part.replaceAll(/^\/+|\/+$/g, ''))
        .filter(Boolean)
        .join('/')}`,
      handler: `${controller}.${name}`,
      access: Reflect.getMetadata(accessKey, handler),
      contract: Reflect.getMetadata(contractKey, handler),
      answer: Reflect.getMetadata(answerKey, handler),
      takesFile: Reflect.getMetadata(fileKey, handler) === true,
    },
  ];
}
