/** Logos are drawn at twice their size, for screens with small pixels; the server accepts no longer side. */
const scale = 2;
const maxPixels = 4_096;
/** A picture that is too large is drawn smaller, but not below what a screen shows. */
const minPixels = 256;

type Size = { width: number; height: number };

function parseSvg(text: string): SVGSVGElement {
  const { documentElement: root } = new DOMParser().parseFromString(text, 'image/svg+xml');
  if (!(root instanceof SVGSVGElement)) throw new Error('not an SVG');
  return root;
}

/** An absent length is 100 %, as a given one may be. */
const lengthOf = ({ baseVal }: SVGAnimatedLength) =>
  baseVal.unitType === SVGLength.SVG_LENGTHTYPE_PERCENTAGE ? 0 : baseVal.value;

/** The size that an SVG says: its width and height, where one or both may follow from its view box. */
function sizeOf(svg: SVGSVGElement): Size | undefined {
  const [width, height] = [lengthOf(svg.width), lengthOf(svg.height)];
  if (width > 0 && height > 0) return { width, height };
  const box = svg.viewBox.baseVal;
  if (!box || !(box.width > 0 && box.height > 0)) return undefined;
  const zoom = width > 0 ? width / box.width : height > 0 ? height / box.height : 1;
  return { width: box.width * zoom, height: box.height * zoom };
}

/** Loads an SVG as an image, where its scripts do not run and its links are not followed. */
async function load(svg: SVGSVGElement, { width, height }: Size): Promise<HTMLImageElement> {
  svg.setAttribute('width', `${width}`);
  svg.setAttribute('height', `${height}`);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  await image.decode();
  return image;
}

async function drawAt(image: HTMLImageElement, { width, height }: Size, factor: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * factor)), Math.max(1, Math.round(height * factor)));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/png' });
}

/** Draws an SVG as a PNG, at twice its size if that fits into so many bytes. Undefined if it has no size. */
export async function drawSvg(text: string, maxBytes: number): Promise<Blob | undefined> {
  const svg = parseSvg(text);
  const size = sizeOf(svg);
  if (!size) return undefined;
  const image = await load(svg, size);
  const longest = Math.max(size.width, size.height);
  let factor = Math.min(scale, maxPixels / longest);
  let picture = await drawAt(image, size, factor);
  while (picture.size > maxBytes && longest * factor > minPixels) {
    factor /= 2;
    picture = await drawAt(image, size, factor);
  }
  return picture;
}
