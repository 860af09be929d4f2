import { validRequest, type CaseContext } from './cases';
import type { HostileRequest } from './send';

const end = '\r\n\r\n';

/** Malformed requests, made of a valid request line and authorization header. */
const wires: readonly ((line: string, bearer: string) => string | Buffer)[] = [
  () => `NOT HTTP${end}`,
  () => '\0'.repeat(4_096),
  () => `\r\n`.repeat(2_000),
  () => 'A'.repeat(70_000),
  () => Buffer.from('16030100c8010000c40303', 'hex'),
  () => `PRI * HTTP/2.0${end}SM${end}`,
  () => `GET /api/health/live HTTP/9.9\r\nhost: x${end}`,
  () => `GET /api/health/live${end}`,
  () => `get /api/health/live HTTP/1.1\r\nhost: x${end}`,
  () => `CONNECT 127.0.0.1:22 HTTP/1.1\r\nhost: x${end}`,
  () => `OPTIONS * HTTP/1.1\r\nhost: x${end}`,
  () => `GET http://169.254.169.254/latest HTTP/1.1\r\nhost: x${end}`,
  () => `GET /api/ HTTP/1.1\nhost: x\n\n`,
  (line) => `${line}${end}`,
  (line) => `${line}\r\nhost: x\r\nhost: y${end}`,
  (line) => `${line}\r\nhost : x${end}`,
  (line) => `${line}\r\nhost: x\r\n folded: y${end}`,
  (line) => `${line}\r\nhost: x\r\na: b\0c${end}`,
  (line) => `${line}\r\nhost: x\r\na\x01b: c${end}`,
  (line) => `${line}\r\nhost: x\r\n: c${end}`,
  (line) => `${line}\r\nhost: x\r\na: b\rc: d${end}`,
  (line) => `${line}\r\nhost: x\r\n${Array.from({ length: 3_000 }, (_, n) => `a${n}: b\r\n`).join('')}\r\n`,
  (line) => `${line}\r\nhost: x\r\na: ${'b'.repeat(20_000)}${end}`,
  (line) => line.slice(0, -4),
  (line) => `${line}\r\nhost: x\r\n`,
  (line, bearer) => `${line}\r\nhost: x\r\n${bearer}\r\n${bearer}${end}`,
  (line, bearer) => `${line}\r\nhost: x\r\n${bearer}\r\nexpect: 100-continue\r\ncontent-length: 5${end}`,
  (line, bearer) => `${line}\r\nhost: x\r\n${bearer}\r\nexpect: something-else${end}`,
  (line, bearer) =>
    `${line}\r\nhost: x\r\n${bearer}\r\ncontent-type: application/json\r\ncontent-length: 50${end}{"a":`,
  (line, bearer) =>
    `${line}\r\nhost: x\r\n${bearer}\r\ncontent-type: application/json\r\ncontent-length: 2${end}{}{}{}`,
  (line) => `${line}\r\nhost: x\r\ncontent-length: -1${end}{}`,
  (line) => `${line}\r\nhost: x\r\ncontent-length: +2${end}{}`,
  (line) => `${line}\r\nhost: x\r\ncontent-length: 0x2${end}{}`,
  (line) => `${line}\r\nhost: x\r\ncontent-length: 99999999999999999999${end}{}`,
  (line) => `${line}\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3${end}{}`,
  (line) => `${line}\r\nhost: x\r\ncontent-length: 2, 2${end}{}`,
  (line) =>
    `${line}\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked${end}0${end}GET /api/admin/users HTTP/1.1\r\nhost: x${end}`,
  (line) => `${line}\r\nhost: x\r\ntransfer-encoding: chunked, identity${end}0${end}`,
  (line) => `${line}\r\nhost: x\r\ntransfer-encoding: xchunked${end}0${end}`,
  (line) => `${line}\r\nhost: x\r\ntransfer-encoding: chunked\r\ntransfer-encoding: x${end}0${end}`,
  ...[
    'zz\r\n',
    '-1\r\n',
    'ffffffffffffffff\r\n',
    '5\r\nab',
    '2\r\n{}x',
    `2;${'a'.repeat(20_000)}\r\n{}\r\n0${end}`,
    `0\r\na: b\r\n${end}`,
  ].map(
    (chunk) => (line: string, bearer: string) =>
      `${line}\r\nhost: x\r\n${bearer}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked${end}${chunk}`,
  ),
  (line, bearer) =>
    `${line}\r\nhost: x\r\n${bearer}\r\nconnection: upgrade\r\nupgrade: h2c\r\nhttp2-settings: AAAA${end}`,
  (line, bearer) => `${line}\r\nhost: x\r\n${bearer}\r\nconnection: upgrade\r\nupgrade: websocket${end}`,
  (line, bearer) =>
    `${line}\r\nhost: x\r\n${bearer}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: x${end}`,
];

/** Creates a malformed request from the first line and the token of a valid one. */
export function wireCase(context: CaseContext): HostileRequest {
  const request = validRequest(context, 'octets');
  const bearer = `authorization: ${context.person.headers['authorization'] ?? 'none'}`;
  const wire = context.random.one(wires)(`${request.method} ${request.path} HTTP/1.1`, bearer);
  return { ...request, mayPass: true, wire };
}
