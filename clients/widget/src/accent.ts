/** The colour of the owner, and what can be read on it and beside it. */

type Colour = [number, number, number];

const WHITE: Colour = [1, 1, 1];
const BLACK: Colour = [0, 0, 0];
/** The surface of each theme on which least can be read, as in the style. */
const SURFACES: { light: Colour; dark: Colour } = {
  light: [0xf4 / 255, 0xf6 / 255, 0xf8 / 255],
  dark: [0x18 / 255, 0x22 / 255, 0x29 / 255],
};
/** What WCAG 2.2 AA asks of text. */
const ENOUGH = 4.5;

/** The variables of the style, or nothing where the text is not an opaque colour. */
export function accentVariables(text: string, probe: HTMLElement): Record<string, string> | undefined {
  const accent = resolve(text, probe);
  if (!accent) return undefined;
  const on = contrast(accent, WHITE) >= ENOUGH ? WHITE : BLACK;
  return {
    "--acc": css(accent),
    "--on-acc": css(on),
    "--acc-ink": `light-dark(${css(readable(accent, SURFACES.light, BLACK))}, ${css(readable(accent, SURFACES.dark, WHITE))})`,
  };
}

/** The browser reads the colour, in any notation. */
function resolve(text: string, probe: HTMLElement): Colour | undefined {
  if (!CSS.supports("color", text)) return undefined;
  probe.style.color = "";
  probe.style.color = `color-mix(in srgb, ${text}, ${text})`;
  if (!probe.style.color) return undefined;
  const [red, green, blue, alpha = 1] = (
    getComputedStyle(probe).color.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []
  ).map(Number);
  probe.style.color = "";
  if (red === undefined || green === undefined || blue === undefined || alpha < 1) return undefined;
  return [red, green, blue].map((part) => Math.min(1, Math.max(0, part))) as Colour;
}

function css(colour: Colour): string {
  return `rgb(${colour.map((part) => Math.round(part * 255)).join(" ")})`;
}

/** The relative luminance of WCAG. */
function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  ) as Colour;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: Colour, other: Colour): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The colour, mixed with the ink until it can be read on the surface. */
function readable(colour: Colour, surface: Colour, ink: Colour): Colour {
  let made = colour;
  for (let part = 1; part <= 20 && contrast(made, surface) < ENOUGH + 0.1; part++)
    made = colour.map((own, index) => own + ((ink[index] ?? 0) - own) * (part / 20)) as Colour;
  return made;
}
