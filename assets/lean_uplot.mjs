// Leaves out of uPlot what the page does not use: legends, axes of dates, its own ranges, paths and points
// (timeline/paint.ts draws). uPlot's own build has such switches too, but its package has only the whole. Each change names the text that
// it is about; a uPlot that does not have it exactly once stops the build.

import { readFileSync } from "node:fs";

/** Text that occurs once, and what stands in its place. */
const changes = [
  ["let isTime = mode == 1 && scales[s.scale].time;", ""],
  ["// also set defaults for incrs & values based on axis distr\n\t\t\tlet isTime = sc.time;", ""],
  ["sc.key = scaleKey;\n\n\t\t\t\tlet isTime = sc.time;", "sc.key = scaleKey;"],
  ["const _timeAxisSplits = (ms == 1 ? timeAxisSplitsMs(_tzDate) : timeAxisSplitsS(_tzDate));", ""],
  [
    "const _timeAxisVals   = timeAxisVals(_tzDate, timeAxisStamps((ms == 1 ? _timeAxisStampsMs : _timeAxisStampsS), _fmtDate));",
    "",
  ],
  ["const _timeSeriesVal  = timeSeriesVal(_tzDate, timeSeriesStamp(_timeSeriesStamp, _fmtDate));", ""],
  ["const _fmtDate = (opts.fmtDate || fmtDate);", ""],
  ["const [ timeIncrsMs, _timeAxisStampsMs, timeAxisSplitsMs ] = genTimeStuffs(1);", ""],
  ["const [ timeIncrsS,  _timeAxisStampsS,  timeAxisSplitsS  ] = genTimeStuffs(1e-3);", ""],
  ["const linearPath = linear() ;", "const linearPath = null;"],
  ["const pointsPath = points() ;", "const pointsPath = null;"],
  ["const showLegend = legend.show;", ""],
  [
    "axis.splits || (isTime && sc.distr == 1 ? _timeAxisSplits : sc.distr == 3 ? logAxisSplits : sc.distr == 4 ? asinhAxisSplits : numAxisSplits)",
    "axis.splits",
  ],
  [
    "axis.filter || (          sc.distr >= 3 && sc.log == 10 ? log10AxisValsFilt : sc.distr == 3 && sc.log == 2 ? log2AxisValsFilt : retArg1)",
    "axis.filter || retArg1",
  ],
  [") : av || numAxisVals", ") : av"],
  ["const cursorFocus = focus.prox >= 0;", ""],
  ["const cursorOnePt = cursorFocus && points.one;", ""],
  [
    "for (let i = mode == 2 ? 1 : 0; i < series.length; i++) {\n\t\t\t\tlet s = series[i];\n\n\t\t\t\tlet idx1",
    "if (false) for (let i = 0; ; ) {\n\t\t\t\tlet s = series[i];\n\n\t\t\t\tlet idx1",
  ],
  ["if (select.show && dragging) {\n\t\t\tif (src != null) {", "if (select.show && dragging) {\n\t\t\tif (false) {"],
  ["if (scaleKey != xScaleKey || (mode == 2 && !isTime)) {", "if (false) {"],
  [
    "sc.range = fnOrSelf(rn || (isTime ? snapTimeX : scaleKey == xScaleKey ?\n\t\t\t\t\t(sc.distr == 3 ? snapLogX : sc.distr == 4 ? snapAsinhX : snapNumX) :\n\t\t\t\t\t(sc.distr == 3 ? snapLogY : sc.distr == 4 ? snapAsinhY : snapNumY)\n\t\t\t\t));",
    "sc.range = (_, min, max) => [min, max];",
  ],
];

/** What is always so in this page. The bundler leaves out what can never be reached then. */
const constants = {
  isTime: false,
  showLegend: false,
  cursorFocus: false,
  cursorOnePt: false,
  "mode == 1": true,
  "mode == 2": false,
};

/** Functions within uPlot that are never called, or would find nothing to do. */
const idle = [
  "drawSeries",
  "drawPath",
  "fillStroke",
  "strokeFill",
  "initLegendRow",
  "addSeries",
  "delSeries",
  "setBand",
  "addBand",
  "delBand",
  "setLegend",
  "setLegendValues",
  "setSeries",
  "setFocus",
  "initCursorPt",
  "accScale",
  "autoScaleX",
];
const exportsBegin = "\nuPlot.assign = assign;";
const exportsEnd = "\nexport { uPlot as default };";

function lean(text) {
  for (const [from, to] of changes) {
    const parts = text.split(from);
    if (parts.length !== 2) throw new Error(`lean_uplot.mjs does not fit this uPlot: ${from}`);
    text = parts.join(to);
  }
  for (const [name, value] of Object.entries(constants))
    text = text.replace(new RegExp(`\\b${name}\\b`, "g"), String(value));
  for (const name of idle) {
    const parts = text.split(new RegExp(`(\\n\\tfunction ${name}\\([^)]*\\) \\{)[\\s\\S]*?(\\n\\t\\}\\n)`));
    if (parts.length !== 4) throw new Error(`lean_uplot.mjs does not fit this uPlot: function ${name}`);
    text = parts.join("");
  }
  const [begin, end] = [text.indexOf(exportsBegin), text.indexOf(exportsEnd)];
  if (begin < 0 || end < begin)
    throw new Error("lean_uplot.mjs does not fit this uPlot: its helpers are exported in another way");
  return text.slice(0, begin) + text.slice(end);
}

export const leanUplot = {
  name: "lean-uplot",
  setup: (build) =>
    build.onLoad({ filter: /uPlot\.esm\.js$/ }, ({ path }) => ({
      contents: lean(readFileSync(path, "utf8")),
      loader: "js",
    })),
};
