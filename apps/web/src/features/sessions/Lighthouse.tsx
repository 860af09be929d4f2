import { Box, Text } from '@mantine/core';
import widths from '../../ui/widths.module.css';

const spacing = 40;
const columns = 16;
const rows = 16;
const lamp = { x: 190, y: 306 };
const beam = { from: 4, to: 34 };

/** The angle of a point from the lamp, in degrees above the horizon to the right. */
const angleOf = (x: number, y: number) => (Math.atan2(lamp.y - y, x - lamp.x) * 180) / Math.PI;

const dots = Array.from({ length: columns * rows }, (_, index) => {
  const x = 20 + (index % columns) * spacing;
  const y = 26 + Math.floor(index / columns) * spacing;
  const angle = angleOf(x, y);
  return { x, y, isLit: x > lamp.x + 40 && angle > beam.from && angle < beam.to };
});

const ray = (degrees: number) => {
  const radians = (degrees * Math.PI) / 180;
  return `${lamp.x + 720 * Math.cos(radians)} ${lamp.y - 720 * Math.sin(radians)}`;
};

function Tower() {
  return (
    <g fill="#24346a">
      <path d="M190 238v-16" stroke="#24346a" strokeWidth="3" />
      <path d="M190 238c18 8 30 22 33 40h-66c3-18 15-32 33-40z" />
      <path d="M162 282h56v46h-56z" fill="#f2f6ff" />
      <path d="M174 282h3v46h-3zM203 282h3v46h-3z" />
      <path d="M146 330h88v9h-88z" />
      <path d="M152 344h76l-5 14h-66z" />
      <path d="M158 362h64l7 92h-78zM149.600 470h80.800l7 92h-94.800zM141.500 578h97l7.500 98h-112z" />
      <path d="M151 454h78l1.300 16h-80.600zM142.700 562h94.600l1.200 16h-97z" fill="#3c52a0" />
      <path d="M184 398a6 6 0 0 1 12 0v16h-12zM184 506a6 6 0 0 1 12 0v16h-12z" fill="#0f1a3c" />
    </g>
  );
}

/** Draws a lighthouse over a dark sea, beside the login form. Decoration only. */
export function Lighthouse() {
  return (
    <Box
      pos="sticky"
      top={0}
      flex="none"
      w="calc(500% / 11)"
      h="100dvh"
      bg="linear-gradient(#0a1128, #101c42 84%)"
      className={widths['fromDesktop'] ?? ''}
      style={{ overflow: 'hidden' }}
      aria-hidden
    >
      <Drawing />
      <Text
        pos="absolute"
        right={48}
        bottom={44}
        maw="11em"
        ta="right"
        c="#edf2ff"
        fz={26}
        lh="34px"
        fw={600}
        lts="-0.02em"
        style={{ textWrap: 'balance' }}
      >
        Un seul poste de garde pour tous vos sites.
      </Text>
    </Box>
  );
}

function Drawing() {
  return (
    <svg width="100%" height="100%" viewBox="0 0 640 800" preserveAspectRatio="xMinYMid slice" focusable="false">
      <defs>
        <radialGradient id="beam" gradientUnits="userSpaceOnUse" cx={lamp.x} cy={lamp.y} r="640">
          <stop offset="0" stopColor="#cfdcff" stopOpacity=".55" />
          <stop offset=".35" stopColor="#8fb0ff" stopOpacity=".22" />
          <stop offset="1" stopColor="#8fb0ff" stopOpacity="0" />
        </radialGradient>
        <radialGradient id="halo" gradientUnits="userSpaceOnUse" cx={lamp.x} cy={lamp.y} r="150">
          <stop offset="0" stopColor="#cfdcff" stopOpacity=".34" />
          <stop offset="1" stopColor="#cfdcff" stopOpacity="0" />
        </radialGradient>
      </defs>
      {dots.map(({ x, y, isLit }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={isLit ? 2.5 : 1.5} fill={isLit ? '#e4ecff' : '#34446f'} />
      ))}
      <path d={`M${lamp.x} ${lamp.y}L${ray(beam.to)}L${ray(beam.from)}z`} fill="url(#beam)" />
      <circle cx={lamp.x} cy={lamp.y} r="150" fill="url(#halo)" />
      <path d="M-400 676H2000V1600H-400z" fill="#0a1027" />
      <path d="M84 698c12-20 34-18 54-26 30-10 78-8 104 2 22 6 40 8 52 24z" fill="#141f45" />
      <Tower />
    </svg>
  );
}
