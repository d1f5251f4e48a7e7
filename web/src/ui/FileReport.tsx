// What is wrong with the scene's file as it was saved last, or looks wrong in it. The scene before goes on meanwhile.
import { signal } from "@preact/signals";
import * as store from "../core/store";
import { Button } from "./parts";

const dismissed = signal(""); // the warnings that somebody has read

export function FileReport() {
  const { mistakes, warnings } = store.report.value;
  if (mistakes.length) {
    return (
      <section class="file-report bad" role="alert" aria-label="Mistakes in the file">
        <h2>{mistakes.length === 1 ? "A mistake in the file" : `${mistakes.length} mistakes in the file`}</h2>
        <ul>{mistakes.slice(0, 8).map((line) => <Line key={line} text={line} />)}</ul>
        <p>The scene before goes on. Save the file again when it is mended.</p>
      </section>
    );
  }
  const all = warnings.join("\n");
  // What has failed says more than what might.
  if (!warnings.length || dismissed.value === all || store.breakdown.value) return null;
  return (
    <section class="file-report" role="status" aria-label="Warnings about the file">
      <h2>
        {warnings.length === 1 ? "Is this meant?" : `Are these ${warnings.length} meant?`}
        <Button icon="close" label="Dismiss the warnings" onClick={() => (dismissed.value = all)} />
      </h2>
      <ul>{warnings.slice(0, 5).map((line) => <Line key={line} text={line} />)}</ul>
    </section>
  );
}

// The place apart from what is said.
function Line({ text }: { text: string }) {
  const found = /^(?:.*\/)?([^/:]+:\d+:\d+): (?:warning: )?(.*)$/s.exec(text);
  return (
    <li>
      {found && <code>{found[1]}</code>} {found ? found[2] : text}
    </li>
  );
}
