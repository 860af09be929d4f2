import { describe, expect, it } from 'vitest';
import { deviceOf } from './device';

const agents = {
  'Firefox sur Linux': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
  'Chrome sur Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Edge sur Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
  'Safari sur macOS':
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
  'Safari sur iPhone':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Chrome sur Android':
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
};

describe('deviceOf', () => {
  it('names the browser and the system', () => {
    for (const [device, agent] of Object.entries(agents)) expect(deviceOf(agent)).toBe(device);
  });

  it('keeps the name of a script, and reports an unknown device', () => {
    expect(deviceOf('curl/8.5.0')).toBe('curl');
    expect(deviceOf(' ')).toBe('Appareil inconnu');
    expect(deviceOf(null)).toBe('Appareil inconnu');
  });
});
