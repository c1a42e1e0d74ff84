// Which devices of the selected node have a line: a list of checkboxes, folded away.

import { make, makeButton, makeCheckbox } from "./dom";
import type { View } from "./view";

export class DevicePicker {
  readonly element = make("details", "pick");
  private readonly summary = make("summary");
  private readonly list = make("div", "choices");
  private shownFor: string | null = null;

  /** @param whole what the node's own line is of its devices' */
  constructor(
    private readonly metric: string,
    private readonly view: View,
    private readonly whole: "average" | "total",
  ) {
    const set = (names: Iterable<string>): void => {
      this.shownFor = null;
      view.state.setDevices(metric, names);
    };
    const buttons = make(
      "div",
      "buttons",
      makeButton("All", () => set(this.names()), `All lines of ${metric}`),
      makeButton("None", () => set([]), `None of the lines of ${metric}`),
      makeButton(`Node ${whole} only`, () => set([""]), `Node ${whole} only, of ${metric}`),
    );
    this.element.append(this.summary, buttons, this.list);
    this.element.hidden = true;
  }

  private names(): string[] {
    return this.view.samples.metric(this.view.state.node, this.metric)?.devices?.names ?? [];
  }

  /** Follows the state; the list itself is made anew only where its names are others. */
  show(): void {
    const { state } = this.view;
    const names = this.names();
    const chosen = state.devicesOf(this.metric);
    this.element.hidden = names.length < 2;
    const count = names.filter((name) => chosen.has(name)).length;
    this.summary.textContent = `Lines: ${[chosen.has("") ? [`node ${this.whole}`] : [], count > 0 ? [`${count} of ${names.length} devices`] : []].flat().join(" and ") || "none"}`;
    if (this.shownFor === state.node) return;
    this.shownFor = state.node;
    const toggle =
      (name: string) =>
      (on: boolean): void => {
        const next = new Set(state.devicesOf(this.metric));
        if (on) next.add(name);
        else next.delete(name);
        state.setDevices(this.metric, next);
      };
    this.list.replaceChildren(
      makeCheckbox(`node ${this.whole}`, chosen.has(""), toggle("")),
      ...names.map((name) => makeCheckbox(name, chosen.has(name), toggle(name))),
    );
  }
}
