/**
 * Distinct in both themes and with most forms of color blindness (after Okabe and Ito); gray is for the rest. A browser
 * remembers which name has which, so that a service keeps its color in every range and with every filter.
 */
const palette = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#7a5cc7', '#94a11f', '#b2415f',
  '#2aa1a8'] as const
export const restColor = '#8c8f94'
/** Names that one chart shows: with more, neighbors are hard to tell apart. */
export const mostShown = 7

const keyOf = (kind: string): string => `steward-colors:${kind}`
/** Older names give way; a name's place in the list decides its color. */
const most = 200

const read = (kind: string): string[] => {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(keyOf(kind)) ?? '[]')
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}

const remember = (kind: string, names: readonly string[]): string[] => {
  const known = read(kind)
  const added = names.filter((name) => !known.includes(name))
  const all = [...known.length + added.length > most ? [] : known, ...added]
  if (added.length > 0) localStorage.setItem(keyOf(kind), JSON.stringify(all))
  return all
}

/** @returns the color of each name of a kind; where two in one chart have the same, the later gets one that is free */
export const colorsOf = (kind: string, names: readonly string[]): Map<string, string> => {
  const known = remember(kind, names)
  const given = new Map<string, string>()
  for (const name of names) {
    const own = known.indexOf(name)
    const order = palette.map((_, step) => palette[(own + step) % palette.length] ?? restColor)
    const taken = new Set(given.values())
    given.set(name, order.find((color) => !taken.has(color)) ?? restColor)
  }
  return given
}
