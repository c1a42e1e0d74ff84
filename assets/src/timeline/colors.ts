// The colors of the page's drawings, as the theme has them. They are those of src/chart/svg.h and meaning.h, asked for by their
// classes, so that style decides and a page without it has those of the light theme.

const light: Record<string, string> = {
  ink: "#1a1d21",
  quiet: "#5a626c",
  grid: "#dde1e6",
  pale: "#9cc3ea",
  rest: "#a9b2bc",
  alarm: "#b3261e",
  paper: "#fff",
  band: "#f6f7f9",
  s0: "#0b5cad",
  s1: "#c2570c",
  s2: "#00795c",
  s3: "#8f4e8b",
  s4: "#4a90c2",
  s5: "#3f4854",
  compute: "#0b5cad",
  data: "#c2570c",
  disk: "#7a3b00",
  communication: "#8f4e8b",
  launch: "#00795c",
  copy: "#4a90c2",
  between: "#3f4854",
  startup: "#8b95a1",
  model: "#7e17e6",
  idle: "#c9d0d8",
  h0: "#00224e",
  h1: "#123570",
  h2: "#3b496c",
  h3: "#575d6d",
  h4: "#707173",
  h5: "#8a8678",
  h6: "#a59c74",
  h7: "#c3b369",
  h8: "#fee838",
};

/** How many colors tell lines apart. */
export const seriesColors = 6;

const now = new Map<string, string>();
const listeners: (() => void)[] = [];

function read(): void {
  // The name of SVG is an address; taken from the page's own mark, the page has none in it.
  const names = document.querySelector("svg")?.namespaceURI ?? null;
  const svg = document.createElementNS(names, "svg") as SVGElement;
  svg.style.display = "none";
  const probes = Object.entries(light).map(([name, fill]) => {
    const rect = document.createElementNS(names, "rect");
    rect.setAttribute("fill", fill);
    rect.setAttribute("class", `f c-${name}`);
    svg.append(rect);
    return { name, rect };
  });
  document.body.append(svg);
  for (const { name, rect } of probes) now.set(name, getComputedStyle(rect).fill);
  svg.remove();
}

/** Follows the theme, whoever changes it. */
function watchColors(): void {
  read();
  const update = (): void => {
    read();
    for (const listener of listeners) listener();
  };
  new MutationObserver(update).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", update);
}

/** "ink", "s0", "h8", … as CSS writes it. */
export function color(name: string): string {
  if (now.size === 0) watchColors();
  return now.get(name) ?? light[name] ?? "#000";
}

export const seriesColor = (index: number): string => color(`s${index % seriesColors}`);

/** 256 colors from low to high, as four bytes each in the order of ImageData. */
export function heatColors(): Uint8ClampedArray {
  const stops = Array.from({ length: 9 }, (_, at) => {
    const text = color(`h${at}`);
    const numbers = text.startsWith("#")
      ? text.match(/[\da-f]{2}/giu)?.map((part) => parseInt(part, 16))
      : text.match(/[\d.]+/gu)?.map(Number);
    return numbers ?? [0, 0, 0];
  });
  const out = new Uint8ClampedArray(1024);
  for (let level = 0; level < 256; ++level) {
    const place = (level / 255) * 8;
    const below = Math.min(7, Math.floor(place));
    for (let part = 0; part < 3; ++part) {
      const low = stops[below]![part]!;
      out[4 * level + part] = low + (stops[below + 1]![part]! - low) * (place - below);
    }
    out[4 * level + 3] = 255;
  }
  return out;
}

export const onColors = (listener: () => void): void => void listeners.push(listener);
