import { describe, expect, it } from 'vitest';
import type { SiteContext } from '../sites/site-contexts';
import type { Upload } from '../uploads/upload.entity';
import { refuseRequirements } from './refusals';

const refusal = (requiresWp: string | null, wpVersion: string | null) =>
  refuseRequirements(
    { requiresPhp: null, requiresWp } as Upload,
    { site: { phpVersion: null, wpVersion } } as SiteContext,
  );

describe('the requirements of an archive', () => {
  it.each([
    ['6.4.0', '6.4'],
    ['6.4', '6.4.0'],
    [' 6.4 ', '6.4'],
    ['6.9', '6.10'],
    ['6.5', '6.5-beta2'],
    ['6.4+', '6.4'],
    ['WordPress 5.8', '6.8'],
    ['', '6.8'],
    [null, '6.8'],
    ['6.4', null],
  ])('%s are met by WordPress %s', (required, has) => {
    expect(refusal(required, has)).toBeUndefined();
  });

  it.each([
    ['6.4.1', '6.4'],
    ['6.10', '6.9.4'],
    ['7', '6.9'],
  ])('%s are not met by WordPress %s', (required, has) => {
    expect(refusal(required, has)?.message).toBe(
      `Cette archive demande WordPress ${required}, ce site a WordPress ${has}.`,
    );
  });

  it('also cover PHP', () => {
    const context = { site: { phpVersion: '8.1.0RC3', wpVersion: null } } as SiteContext;
    expect(refuseRequirements({ requiresPhp: '8.1', requiresWp: null } as Upload, context)).toBeUndefined();
    expect(refuseRequirements({ requiresPhp: '8.2', requiresWp: null } as Upload, context)?.message).toContain(
      'PHP 8.2',
    );
  });
});
