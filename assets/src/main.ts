// The page is complete without this script; it only adds conveniences to what is there.

import { makeSortable } from "./sort";
import { setUpTheme } from "./theme";
import { setUpTimeline } from "./timeline/index";

const themeButton = document.getElementById("theme");
if (themeButton) setUpTheme(themeButton);
for (const table of document.querySelectorAll<HTMLTableElement>("table.sortable")) makeSortable(table);
setUpTimeline();
