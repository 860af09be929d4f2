import { describe, expect, it } from 'vitest';
import { adaptSources, formatSources, keyFiles, mirrorOf, readAcquire, readSources } from './sources';

const stanzas = `# made by hand
Types: deb deb-src
# URIs: http://old.test/debian
URIs: http://mirror.test/debian
Suites: bookworm
 bookworm-updates
Components: main contrib
Signed-By: /usr/share/keyrings/debian.gpg

Types: deb
Enabled: no
URIs: http://off.test/debian
Suites: bookworm
Components: main

Types: deb-src
URIs: http://source.test/debian
Suites: bookworm
Components: main
`;
const lines = `# deb http://old.test/debian bookworm main
deb http://mirror.test/security bookworm-security main # fixes
deb [arch=amd64 signed-by=/etc/apt/keyrings/a.gpg] https://other.test/apt bookworm stable
deb-src http://mirror.test/debian bookworm main
`;

describe('the sources of apt', () => {
  it('are read from stanzas and from lines, without disabled ones', () => {
    const sources = [...readSources('a.sources', stanzas), ...readSources('sources.list', lines)];
    expect(
      formatSources(sources),
    ).toBe(`deb [signed-by=/usr/share/keyrings/debian.gpg] http://mirror.test/debian bookworm main contrib
deb [signed-by=/usr/share/keyrings/debian.gpg] http://mirror.test/debian bookworm-updates main contrib
deb http://mirror.test/security bookworm-security main
deb [arch=amd64 signed-by=/etc/apt/keyrings/a.gpg] https://other.test/apt bookworm stable
`);
    expect(keyFiles(sources)).toContain('/etc/apt/keyrings/a.gpg');
  });

  it('are adapted to another release, without third-party sources', () => {
    const sources = [...readSources('a.sources', stanzas), ...readSources('sources.list', lines)];
    const adapted = adaptSources(sources, 'bookworm', 'trixie');
    expect(adapted.map(({ suite }) => suite)).toEqual(['trixie', 'trixie-updates', 'trixie-security']);
    expect(mirrorOf(adapted, 'trixie')).toBe('http://mirror.test/debian');
    expect(mirrorOf([], 'trixie')).toBeUndefined();
  });
});

it('copies the download settings of apt, and no hooks', () => {
  const dump =
    'APT "";\nAcquire::http::Proxy "http://proxy.test:3128";\nAcquire::Check-Date "false";\nDPkg::Post-Invoke:: "x";\n';
  expect(readAcquire(dump)).toBe('Acquire::http::Proxy "http://proxy.test:3128";\nAcquire::Check-Date "false";\n');
});
