import { hostname } from 'node:os';
import { release } from '@vigie/contracts/release';

export const instance = `${hostname()}:${process.pid}`;

export const healthStatus = () => ({ ok: true, release, instance });
