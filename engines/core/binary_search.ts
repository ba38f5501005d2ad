/**
 * Finds the entry at which a binary search stops among equal names.
 * @module
 */

/** Returns the index in `[first, end)` at which a binary search among `count` names stops. */
export function searched(count: number, first: number, end: number): number {
  let left = 0;
  let right = count - 1;
  while (left <= right) {
    const middle = Math.floor((left + right) / 2);
    if (middle >= end) right = middle - 1;
    else if (middle < first) left = middle + 1;
    else return middle;
  }
  return first;
}
