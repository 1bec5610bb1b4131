/** A part of a text, in UTF-16 units. */
export interface Range { start: number, end: number }

/** @returns how many units two texts begin with alike */
export const commonStart = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
}

/** @returns how many units two texts end with alike */
export const commonEnd = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length++
  return length
}
