import { describe, expect, it } from 'vitest';
import { outboundRule, zoneOf } from './addresses';

const words = (text: string) => text.trim().split(/\s+/);

describe('the zone of an address', () => {
  it.each([
    '',
    ...words(`
    169.254.169.254 169.254.170.2 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe 0:0:0:0:0:ffff:a9fe:a9fe ::a9fe:a9fe
    ::ffff:0:169.254.169.254 64:ff9b::a9fe:a9fe 64:ff9b::169.254.169.254 64:ff9b:1:a9fe:a9:fe00::
    64:ff9b:1::a9fe:a9fe 2002:a9fe:a9fe::1 2001:0:a9fe:a9fe::1 2001:0:808:808::5601:5601
    2606:4700::200:5efe:a9fe:a9fe fe80::1 fe80::1%eth0 febf::1 fd00:ec2::254 fd20:ce::254 100.100.100.200
    168.63.129.16 0.0.0.0 :: ::ffff:0.0.0.0 224.0.0.1 255.255.255.255 ff02::1 localhost 127.1`),
  ])('is forbidden: %s', (ip) => expect(zoneOf(ip)).toBe('forbidden'));

  it.each(
    words(`
    127.0.0.1 127.255.255.254 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 198.18.0.1 ::1
    ::ffff:127.0.0.1 ::ffff:7f00:1 64:ff9b::10.0.0.1 64:ff9b:1::8.8.8.8 2002:7f00:1:: fc00::1 fdff::1 fec0::1`),
  )('is private: %s', (ip) => expect(zoneOf(ip)).toBe('private'));

  it.each(
    words(`
    8.8.8.8 172.32.0.1 169.253.0.1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2606:4700::1111 2002:808:808::`),
  )('is public: %s', (ip) => expect(zoneOf(ip)).toBe('public'));
});

describe('the outbound rule', () => {
  const isRefused = (rule: Parameters<typeof outboundRule>[0], ip: string) => !outboundRule(rule)(ip);

  it('allows public addresses to everybody', () => {
    expect(outboundRule({ allowsPrivate: false, ranges: [] })('8.8.8.8')).toBe(true);
  });

  it('allows private addresses only with a permission or in a listed range', () => {
    expect(isRefused({ allowsPrivate: false, ranges: [] }, '10.1.2.3')).toBe(true);
    expect(isRefused({ allowsPrivate: true, ranges: [] }, '10.1.2.3')).toBe(false);
    const listed = { allowsPrivate: false, ranges: ['10.1.0.0/16', '192.168.7.7', 'fd12::/16'] };
    expect(['10.1.2.3', '192.168.7.7', 'fd12::1', '::ffff:10.1.2.3'].filter((ip) => isRefused(listed, ip))).toEqual([]);
    expect(['10.2.0.1', '192.168.7.8', 'fd13::1', '127.0.0.1'].filter((ip) => !isRefused(listed, ip))).toEqual([]);
  });

  it('never allows a forbidden address, even with a permission and a listed range', () => {
    const open = { allowsPrivate: true, ranges: ['0.0.0.0/0', '::/0'] };
    const addresses = ['169.254.169.254', '::ffff:169.254.169.254', 'fe80::1', 'fd00:ec2::254'];
    expect(addresses.filter((ip) => !isRefused(open, ip))).toEqual([]);
  });

  it.each(['10.0.0.0/33', '10.0.0/8', 'x', '::/129', '10.0.0.0/-1', '10.0.0.0/8/8', '10.0.0.0/'])(
    'refuses to be made from %o',
    (range) => expect(() => outboundRule({ allowsPrivate: false, ranges: [range] })).toThrow('not a range'),
  );
});
