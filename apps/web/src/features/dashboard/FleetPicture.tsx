import { Text } from '@mantine/core';
import { useMediaQuery, useResizeObserver } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { formatNumber } from '../../ui/plural';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import styles from './dashboard.module.css';
import { type FleetSite, listLink, type Section, toneOf } from './fleet';
import { FleetCanvas, Swatch } from './FleetCanvas';
import { type Head, type Layout, layOut } from './fleet-layout';
import { describeSite, siteDetails } from './words';
import { type FleetCursor, useFleetCursor } from './useFleetCursor';

type Props = { sections: readonly Section[]; servers: readonly { name: string }[] };

const touch = '(width < 768px), (pointer: coarse)';
const initially = { getInitialValueInEffect: false };

/** A link that the keys skip: the picture is one stop, and the list has the same links. */
function SectionHead({ section, head, height }: { section: Section; head: Head; height: number }) {
  const place = { left: head.x, top: head.y, width: head.width, height };
  const content = (
    <>
      <b>{section.title}</b> {formatNumber(section.sites.length)}
    </>
  );
  if (!section.filter) {
    return (
      <span className={styles['head']} style={place}>
        {content}
      </span>
    );
  }
  return (
    <Link {...listLink(section.filter)} tabIndex={-1} className={styles['head'] ?? ''} style={place}>
      {content}
    </Link>
  );
}

const tipWidth = 240;
const tipHeight = 92;

/** What the cell under the cursor stands for, below it, or above it where the picture ends. */
function Tip({ site, server, layout, at, width, height }: TipProps) {
  const { x = 0, y = 0 } = layout.cells[at] ?? {};
  const isLow = y + layout.size.height + tipHeight > Math.max(layout.height, height);
  const place = {
    left: Math.max(0, Math.min(x, width - tipWidth)),
    ...(isLow ? { bottom: layout.height - y + 6 } : { top: y + layout.size.height + 6 }),
  };
  return (
    <div aria-hidden className={styles['tip']} style={{ ...place, maxWidth: tipWidth }}>
      <Text span fw={600}>
        {site.name}
      </Text>
      <Text variant="note" className={styles['state'] ?? ''}>
        <Swatch tone={toneOf(site)} />
        {siteDetails(site, server)}
      </Text>
    </div>
  );
}
type TipProps = {
  site: FleetSite;
  server: string | undefined;
  layout: Layout;
  at: number;
  width: number;
  height: number;
};

/** Lays the sites out in the room that there is. */
function usePicture(sections: readonly Section[]) {
  const [ref, { left, right, top, bottom }] = useResizeObserver<HTMLDivElement>();
  const [width, height] = [right - left, bottom - top];
  const headHeight = useMediaQuery(touch, undefined, initially) ? 44 : 24;
  const sites = useMemo(() => sections.flatMap((section) => section.sites), [sections]);
  const layout = useMemo(() => {
    const counts = sections.map((section) => section.sites.length);
    return layOut(counts, { width, height, headHeight });
  }, [sections, width, height, headHeight]);
  const drawing = useMemo(() => {
    const cells = layout.cells.flatMap((cell, at) => {
      const site = sites[at];
      return site ? [{ ...cell, ...layout.size, name: site.name, tone: toneOf(site) }] : [];
    });
    return { width, height: layout.height, cells };
  }, [layout, sites, width]);
  return { ref, width, height, headHeight, sites, layout, drawing };
}

type CursorProps = { sites: readonly FleetSite[]; at: number; site: FleetSite; server: string | undefined } & Pick<
  TipProps,
  'layout'
> &
  Pick<FleetCursor, 'isShown' | 'isMoved' | 'linkProps'>;

function Cursor({ sites, at, site, server, layout, isShown, isMoved, linkProps }: CursorProps) {
  const { x = 0, y = 0 } = layout.cells[at] ?? {};
  return (
    <>
      <Link
        to="/sites/$siteId"
        params={{ siteId: site.id }}
        preload={false}
        draggable={false}
        aria-label={`${describeSite(site, server)}, case ${at + 1} sur ${sites.length}`}
        className={styles['cursor'] ?? ''}
        data-shown={isShown || undefined}
        style={{ left: x, top: y, ...layout.size }}
        {...linkProps}
      />
      <output>{isMoved && <VisuallyHidden>{describeSite(site, server)}</VisuallyHidden>}</output>
    </>
  );
}

/** The fleet, a cell for each site. */
export function FleetPicture({ sections, servers }: Props) {
  const { ref, width, height, headHeight, sites, layout, drawing } = usePicture(sections);
  const { pictureProps, ...cursor } = useFleetCursor(sites, layout);
  const site = sites[cursor.at];
  const server = servers[site?.server ?? -1]?.name;
  return (
    <div ref={ref} className={`${styles['scroll'] ?? ''} ${styles['frame'] ?? ''}`}>
      {width > 0 && site && (
        // The link in it has the keys, and the list has the same links for everybody else.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
        <div className={styles['picture']} style={{ height: layout.height }} {...pictureProps}>
          <FleetCanvas drawing={drawing} />
          {layout.heads.map((head, at) => {
            const section = sections[at];
            return section && <SectionHead key={section.key} section={section} head={head} height={headHeight} />;
          })}
          <Cursor {...{ sites, site, server, layout }} {...cursor} />
          {cursor.isShown && <Tip {...{ site, server, layout, at: cursor.at, width, height }} />}
        </div>
      )}
    </div>
  );
}
