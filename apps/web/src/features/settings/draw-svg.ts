/** Logos are drawn at twice their size, for screens with small pixels; the server accepts no longer side. */
const scale = 2;
const maxPixels = 4_096;

function parseSvg(text: string): SVGSVGElement {
  const { documentElement: root } = new DOMParser().parseFromString(text, 'image/svg+xml');
  if (!(root instanceof SVGSVGElement)) throw new Error('not an SVG');
  return root;
}

/** An absent length is 100 %, as a given one may be. */
const lengthOf = ({ baseVal }: SVGAnimatedLength) =>
  baseVal.unitType === SVGLength.SVG_LENGTHTYPE_PERCENTAGE ? 0 : baseVal.value;

/** The size that an SVG says: its width and height, or that of its view box. */
function sizeOf(svg: SVGSVGElement): { width: number; height: number } | undefined {
  const [width, height] = [lengthOf(svg.width), lengthOf(svg.height)];
  if (width > 0 && height > 0) return { width, height };
  const box = svg.viewBox.baseVal;
  return box && box.width > 0 && box.height > 0 ? { width: box.width, height: box.height } : undefined;
}

/** Draws an SVG as an image, where its scripts do not run and its links are not followed. Undefined if it has no size. */
export async function drawSvg(text: string): Promise<Blob | undefined> {
  const svg = parseSvg(text);
  const size = sizeOf(svg);
  if (!size) return undefined;
  const factor = Math.min(scale, maxPixels / Math.max(size.width, size.height));
  const [width, height] = [size.width, size.height].map((side) => Math.max(1, Math.round(side * factor)));
  if (!svg.viewBox.baseVal?.width) svg.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
  svg.setAttribute('width', `${width}`);
  svg.setAttribute('height', `${height}`);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await image.decode();
  const canvas = new OffscreenCanvas(width ?? 1, height ?? 1);
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return canvas.convertToBlob({ type: 'image/png' });
}
