/** What people ask for, with the letters that get lost or swapped on the way. */
const vocabulary = `everything healthy health services service cluster clusters costs spend spent month scale
  deploy errors error build builds failed failing requests repositories functions projects rollback restart
  release running broken account accounts changelog compare yesterday deployment deployments commits commit
  website unhealthy expensive instances copies status`.trim().split(/\s+/)

/** One and many are both right. */
const known = new Set(vocabulary.flatMap((word) => [word, word.replace(/s$/, ''), word.replace(/ies$/, 'y'), `${word}s`]))

/** English that is near to a word of the vocabulary without being meant as it. */
const others = new Set(('error errors scaled deployed cost mouth heath health moth smell broker scare stale ' +
  'service services server serviced released releases accounting statues commit commits builder build built running ' +
  'ruining spent spend spends speed rebuild building failing falling sailing').split(' '))

/** @returns whether one letter more, less or another, or two that changed places, lies between them */
const isNear = (a: string, b: string): boolean => {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.length - short.length > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at++
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1)
  if (short.slice(at + 1) === long.slice(at + 1)) return true
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
}

const repaired = (word: string): string => {
  const lower = word.toLowerCase()
  if (known.has(lower) || others.has(lower)) return word
  return vocabulary.find((one) => one.length > 4 && one[0] === lower[0] && isNear(lower, one)) ?? word
}

/** What is in quotes, assigned, or joined as names are, stays as it is. */
const words = /"[^"]*"|“[^”]*”|`[^`]*`|\{.*\}|\S*[=~:/@._-]\S*|[a-z]{4,}/gis

/** @returns an English message whose slips of the keyboard are mended, where one word alone is so near */
export const corrected = (message: string): string =>
  message.replaceAll(words, (word) => /^[a-z]+$/i.test(word) ? repaired(word) : word)
