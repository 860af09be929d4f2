import { describe, expect, it } from 'vitest';
import { palettes } from './colors';

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const backgroundColors = ['background', 'cursorAccent', 'selectionBackground', 'selectionInactiveBackground'];

describe.each(Object.entries(palettes))('the %s palette', (_name, palette) => {
  const letters = Object.entries(palette).filter(([name]) => !backgroundColors.includes(name));

  it.each(letters)('reads %s on its background', (_color, value) => {
    expect(contrast(value, palette.background)).toBeGreaterThanOrEqual(4.5);
  });

  it('keeps selected text readable', () => {
    expect(contrast(palette.foreground, palette.selectionBackground)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(palette.foreground, palette.selectionInactiveBackground)).toBeGreaterThanOrEqual(4.5);
  });
});
