import { Injectable, RequestMethod } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { allContracts } from '@vigie/contracts/all';
import type { Contract } from '@vigie/contracts/contract';
import type { Access } from '@vigie/contracts/routes';
import { otherRoutes } from './openapi/other-routes';
import { accessKey, contractKey } from './routes';

/** The metadata keys of Nest's route decorators. */
const pathKey = 'path';
const methodKey = 'method';

export type ServedRoute = {
  method: string;
  path: string;
  handler: string;
  access: Access | undefined;
  contract: Contract | undefined;
};

/** Every route of the gateway, for the check at start. */
@Injectable()
export class RouteList {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** In the order of their paths and methods. */
  all(): ServedRoute[] {
    const routes = this.discovery.getControllers().flatMap(({ metatype }) => {
      if (!metatype) return [];
      const base: string = Reflect.getMetadata(pathKey, metatype) ?? '';
      const methods = this.scanner.getAllMethodNames(metatype.prototype);
      return methods.flatMap((name) => routesOf(base, metatype.name, name, metatype.prototype[name]));
    });
    const keyOf = ({ path, method }: ServedRoute) => `${path} ${method}`;
    return routes.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  }

  /**
   * Routes without an access policy, contracts without their routes, and routes that the OpenAPI document leaves out or makes
   * up, with which the gateway must not start.
   */
  faults(): string[] {
    const routes = this.all();
    const unprotected = routes.filter(({ access }) => access === undefined);
    const unserved = allContracts.flatMap((contract) =>
      contract.endpoints.filter(({ method, path }) =>
        routes.every((route) => route.contract !== contract || route.method !== method || route.path !== path),
      ),
    );
    const served = routes.filter(({ contract }) => contract === undefined).map(addressOf);
    const described = Object.entries(otherRoutes).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    return [
      ...served.filter((each) => !described.includes(each)).map((each) => `${each} is not in the OpenAPI document`),
      ...described.filter((each) => !served.includes(each)).map((each) => `${each} is described and not served`),
      ...unprotected.map(({ method, path, handler }) => `${method} ${path} (${handler}) has no access policy`),
      ...unserved.map(({ method, path }) => `${method} ${path} is not served from its contract`),
    ];
  }
}

/** As the OpenAPI document writes it. */
const addressOf = ({ method, path }: ServedRoute) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;

function routesOf(base: string, controller: string, name: string, handler: object): ServedRoute[] {
  const paths: string | string[] | undefined = Reflect.getMetadata(pathKey, handler);
  return [paths ?? []].flat().map((path) => ({
    method: RequestMethod[Reflect.getMetadata(methodKey, handler)] ?? 'ALL',
    path: `/${[base, path]
      .map((part) => part.replaceAll(/^\/+|\/+$/g, ''))
      .filter(Boolean)
      .join('/')}`,
    handler: `${controller}.${name}`,
    access: Reflect.getMetadata(accessKey, handler),
    contract: Reflect.getMetadata(contractKey, handler),
  }));
}
