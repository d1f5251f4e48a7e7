// Finding names by a few of their letters: every word of the query must occur in the text, as it is or with its
// letters in order. Whole pieces, and pieces at the start of a word, come first.

// Higher is better; null: no match.
export function score(query: string, text: string): number | null {
  const hay = text.toLowerCase();
  let total = 0;
  for (const word of query.toLowerCase().split(/\s+/)) {
    if (word === "") continue;
    const one = scoreWord(word, hay);
    if (one === null) return null;
    total += one;
  }
  return total - 0.01 * text.length;
}

function scoreWord(word: string, hay: string): number | null {
  let best = -1;
  for (let at = hay.indexOf(word); at >= 0; at = hay.indexOf(word, at + 1)) {
    const isWhole = startsWord(hay, at) && endsWord(hay, at + word.length);
    best = Math.max(best, (isWhole ? 4 : startsWord(hay, at) ? 3 : 2) * word.length);
  }
  if (best >= 0) return best;
  let at = -1;
  let points = 0;
  for (const letter of word) {
    const next = hay.indexOf(letter, at + 1);
    if (next < 0) return null;
    if (next === at + 1) points += 0.5;
    if (startsWord(hay, next)) points += 1;
    at = next;
  }
  return points;
}

function startsWord(text: string, at: number): boolean {
  return !/[a-z0-9]/.test(text[at - 1] ?? " ");
}
function endsWord(text: string, at: number): boolean {
  return !/[a-z0-9]/.test(text[at] ?? " ");
}

// The best `most` of the texts, best first; among equals their order stays.
export function search(query: string, texts: readonly string[], most = Infinity): string[] {
  if (query.trim() === "") return texts.slice(0, most === Infinity ? undefined : most);
  const found: { text: string; points: number; order: number }[] = [];
  texts.forEach((text, order) => {
    const points = score(query, text);
    if (points !== null) found.push({ text, points, order });
  });
  found.sort((a, b) => b.points - a.points || a.order - b.order);
  return found.slice(0, most).map((f) => f.text);
}
