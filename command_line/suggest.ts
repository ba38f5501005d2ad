/**
 * "Did you mean ...?"
 * @module
 */

/**
 * Returns the number of single-letter changes (insert, delete, replace, swap neighbours) that turn `from` into `to`.
 * @param most Distances from this one on are not told apart: any of them may be returned for another.
 */
export function editDistance(from: string, to: string, most = Infinity): number {
  if (Math.abs(from.length - to.length) >= most) return most;
  let beforeLast: number[] = [];
  let before = 0;
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    let nearest = row;
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(cost);
      nearest = Math.min(nearest, cost);
    }
    // A swap looks two rows back, and costs one more than what it finds there.
    if (nearest >= most && before >= most) return most;
    before = nearest;
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}

/** The word of `known` that `word` was most likely meant to be, or undefined if none is near. Case is ignored. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  if (best !== undefined || wanted.length < 2) return best;
  for (const candidate of known) {
    if (candidate.toLowerCase().startsWith(wanted)) return candidate;
  }
  return undefined;
}

/** `; did you mean "find"?`, or nothing if no word of `known` is near. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const suggestion = nearest(word, known);
  return suggestion === undefined ? "" : `; did you mean "${suggestion}"?`;
}
