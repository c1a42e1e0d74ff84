// A page without what repeats: a validator then takes a tenth of the time and sees every kind of markup that the page has.
//
// Of siblings that are marked up alike, the first is kept: the same element, with the same attributes and children that
// are alike. Only what no rule of HTML looks at may differ between them: text, and the values of a few attributes, both
// free of unescaped characters. Ids and what refers to them are never dropped. Script and style are left empty.

const voidElements = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "source",
  "track",
  "wbr",
]);

/** Attributes whose values are free text. Within drawings all are, but those that HTML knows. */
const free = /^(?:title|data-.*|aria-label|value|placeholder|alt|datetime)$/u;
const known = /^(?:id|class|role|href|for|tabindex|aria-(?!label$).*|on.*|style)$/u;

/** Text as the template engine escapes it. */
const plain = /^(?:[^<>&"'`\u0000-\u0008\u000b-\u001f\u007f-\u009f]|'|&(?:amp|lt|gt|quot|#\d+);)*$/u;

/** What is looked at once on all pages together: sections, and of what has no ids these. */
const wholes = new Set(["svg", "table", "ul", "nav"]);
const isWhole = ({ name, like }) => name === "section" || (wholes.has(name) && !like.includes(" id="));

const token = /<!--[^]*?-->|<![^>]*>|<(\/?)([a-zA-Z][^\s/>]*)((?:\s+[^\s=>"'/]+(?:="[^"]*")?)*)\s*(\/?)>|[^<]+/guy;
const attribute = /([^\s=]+)(?:="([^"]*)")?/gu;

function attributesOf(text, drawn) {
  let like = "";
  for (const [, name, value] of text.matchAll(attribute)) {
    const any = (drawn ? !known.test(name) : free.test(name)) && value !== undefined && plain.test(value);
    like += ` ${name}=${any ? value.trim() !== "" : value}`;
  }
  return like;
}

/** One element that is being read. `like` says how it is marked up, `kept` is what is left of it. */
class Element {
  constructor(name, tag, attributes, drawn) {
    this.name = name;
    this.drawn = drawn || name === "svg";
    this.like = `<${name}${attributesOf(attributes, this.drawn)}>`;
    this.kept = tag;
    this.seen = new Set();
  }

  add(like, kept) {
    if (this.seen.has(like)) return;
    this.seen.add(like);
    this.like += like;
    this.kept += kept;
  }
}

/**
 * The page without what repeats. `likes` has a text for each of its sections, drawings, tables and lists that is the same for
 * those that are marked up alike; those that are `known` are left out. Of a page that is not made of closed elements all is kept, and `end` says
 * in which line it could not be read on.
 * @param {string} html @param {Set<string>} known @returns {{ kept: string, likes: Set<string>, end?: number }}
 */
export function withoutRepeats(html, known = new Set()) {
  const stopAt = (place) => ({ kept: html, likes: new Set(), end: html.slice(0, place).split("\n").length });
  const likes = new Set();
  const open = [new Element("", "", "", false)];
  token.lastIndex = 0;
  while (token.lastIndex < html.length) {
    const begin = token.lastIndex;
    const found = token.exec(html);
    if (!found) return stopAt(begin);
    const [text, closing, written, attributes, selfClosing] = found;
    const at = open[open.length - 1];
    if (!written) {
      if (text.startsWith("<!") || !plain.test(text)) at.add(text, text);
      else if (text.trim() !== "") at.add("text", text);
      continue;
    }
    const name = written.toLowerCase();
    if (closing) {
      if (open.length === 1 || at.name !== name) return stopAt(begin);
      open.pop();
      const isKnown = isWhole(at) && known.has(at.like);
      if (isWhole(at)) likes.add(at.like);
      open[open.length - 1].add(`${at.like}</>`, isKnown ? "" : at.kept + text);
      continue;
    }
    const element = new Element(name, text, attributes, at.drawn);
    if (selfClosing || voidElements.has(name)) at.add(element.like, text);
    else open.push(element);
    if (name === "script" || name === "style") {
      const end = html.indexOf(`</${name}`, token.lastIndex);
      if (end < 0) return stopAt(begin);
      token.lastIndex = end;
    }
  }
  return open.length === 1 ? { kept: open[0].kept, likes } : stopAt(html.length);
}
