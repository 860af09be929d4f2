import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logoMaxBytes } from '@vigie/contracts/settings';
import { addUser } from '@vigie/testing/people';
import { aPng, losslessChunk, pixelPng, pngHeader, pngSignature, webp } from '@vigie/testing/pictures';
import { TestProduct } from '@vigie/testing/product';

let product: TestProduct;
let root: string;
let client: string;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc'], { VIGIE_TRUSTED_HOPS: '1' });
  root = await product.login();
  client = (await addUser(product, root)).token;
});
afterAll(() => product?.stop());

const save = (body: unknown, token = root) => product.request('POST', '/api/settings/app', { token, body });
const read = (token?: string) => product.request('GET', '/api/settings/app', token === undefined ? {} : { token });
const dataUri = (type: string, content: string | Buffer) =>
  `data:${type};base64,${Buffer.from(content).toString('base64')}`;
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>';

describe('reading', () => {
  it('shows the name and the logos only without a session', async () => {
    const branding = {
      app_name: 'Vigie',
      logo_light_b64: null,
      logo_dark_b64: null,
      passkey_origin: 'http://localhost:8080',
    };
    expect((await read()).body).toEqual(branding);
    expect((await read('A'.repeat(43))).body).toEqual(branding);
    expect((await read(client)).body).toEqual({ ...branding, default_sender_email: null, require_2fa: 'off' });
  });
});

describe('saving', () => {
  it('changes the given fields, clears null ones, and applies at once', async () => {
    const saved = await save({
      app_name: ' Phare ',
      default_sender_email: 'Vigie@Exemple.fr',
      logo_dark_b64: dataUri('image/png', pixelPng),
    });
    expect([saved.status, saved.body]).toEqual([
      200,
      {
        app_name: 'Phare',
        default_sender_email: 'vigie@exemple.fr',
        logo_light_b64: null,
        logo_dark_b64: dataUri('image/png', pixelPng),
        require_2fa: 'off',
      },
    ]);
    expect((await read()).body['app_name']).toBe('Phare');
    const cleared = await save({ logo_dark_b64: null, default_sender_email: null, app_name: 'Vigie' });
    expect(cleared.body).toMatchObject({ logo_dark_b64: null, default_sender_email: null });
  });

  it.each([
    ['an empty name', { app_name: ' ' }, 'Le nom de l’application ne peut pas être vide.'],
    ['a name of two lines', { app_name: 'a\nb' }, undefined],
    ['an empty sender', { default_sender_email: '' }, 'Renseignez une adresse expéditeur valide.'],
    ['a sender that is none', { default_sender_email: 'x' }, undefined],
    ['an unknown policy', { require_2fa: 'some' }, undefined],
  ])('refuses %s', async (_name, body, sentence) => {
    const answer = await save(body);
    expect([answer.status, typeof answer.body['detail']]).toEqual([400, 'string']);
    if (sentence !== undefined) expect(answer.body['detail']).toBe(sentence);
  });
});

describe('a logo', () => {
  it('must be of the type that its bytes show', async () => {
    expect((await save({ logo_light_b64: dataUri('image/webp', pixelPng) })).status).toBe(400);
    expect((await save({ logo_light_b64: dataUri('image/png', '<svg/>') })).status).toBe(400);
    expect((await save({ logo_light_b64: dataUri('image/gif', 'GIF89a') })).status).toBe(400);
    expect((await save({ logo_light_b64: 'https://evil.example/logo.png' })).status).toBe(400);
    expect(
      (await save({ logo_light_b64: dataUri('image/webp', 'RIFF\0\0\0\0WEBP<script>alert(1)</script>') })).status,
    ).toBe(400);
    expect((await save({ logo_light_b64: dataUri('image/webp', webp(losslessChunk(16_384, 16_384))) })).status).toBe(
      400,
    );
    const onlyHeader = Buffer.concat([pngSignature, pngHeader(8, 8)]);
    expect((await save({ logo_light_b64: dataUri('image/png', onlyHeader) })).status).toBe(400);
  });

  it.each([
    ['image/png', aPng],
    ['image/webp', (length: number) => webp(losslessChunk(256, 256, Buffer.alloc(length)))],
  ])('may be 192 KiB as %s, and two of them fit in one request', async (type, picture) => {
    const overhead = picture(0).length;
    // WebP pads chunks of an odd length, so the length is even.
    const fits = Math.floor((logoMaxBytes - dataUri(type, '').length) / 8) * 6 - overhead - (overhead % 2);
    const largest = dataUri(type, picture(fits));
    expect(logoMaxBytes - largest.length).toBeLessThan(16);
    const saved = await save({ logo_light_b64: largest, logo_dark_b64: largest });
    expect(saved.status).toBe(200);
    expect((await read()).body).toMatchObject({ app_name: 'Vigie', logo_light_b64: largest, logo_dark_b64: largest });
    const tooLarge = await save({ logo_light_b64: dataUri(type, picture(fits + 16)) });
    const sentence = 'Ce logo est trop volumineux\u00a0: 192\u00a0Ko au plus.';
    expect([tooLarge.status, tooLarge.body['detail']]).toEqual([400, sentence]);
    expect((await save({ logo_light_b64: `data:${type};base64,${'A'.repeat(600_000)}` })).status).toBe(413);
    await save({ logo_light_b64: null, logo_dark_b64: null });
  });

  it('is refused as an SVG, with what to do', async () => {
    const { status, body } = await save({ logo_light_b64: dataUri('image/svg+xml', svg) });
    const sentence = 'Un logo est une image PNG ou WebP. Enregistrez un SVG en PNG avant de l’envoyer.';
    expect([status, body['detail']]).toEqual([400, sentence]);
    expect((await read()).body).toMatchObject({ logo_light_b64: null });
  });

  it('stays as an SVG that was stored earlier, until it is replaced', async () => {
    const stored = dataUri('image/svg+xml', svg);
    await product.database.query('update auth.settings set logo_light = $1', [stored]);
    await save({ app_name: 'Phare' });
    expect((await read()).body).toMatchObject({ app_name: 'Phare', logo_light_b64: stored, logo_dark_b64: null });
    const replaced = dataUri('image/png', pixelPng);
    expect((await save({ logo_light_b64: replaced })).body).toMatchObject({ logo_light_b64: replaced });
    await save({ app_name: 'Vigie', logo_light_b64: null });
  });
});
