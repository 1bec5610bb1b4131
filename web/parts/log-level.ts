export type Level = 'error' | 'warn' | 'info' | 'debug'

const words: Record<string, Level> = {}
const named: [Level, string][] = [
  ['error', 'fatal critical crit error err severe panic'], ['warn', 'warn warning'],
  ['info', 'notice info information'], ['debug', 'debug trace verbose']
]
for (const [level, names] of named) for (const name of names.split(' ')) words[name] = level

/** Levels as numbers, as Bunyan and Pino write them. */
const ofNumber = (level: number): Level => level >= 50 ? 'error' : level >= 40 ? 'warn' : level >= 30 ? 'info' : 'debug'

/** The level stands at the beginning of a line, behind a time and a name at most. */
const looked = 80

const keys = ['level', 'severity', 'levelname', 'log.level'] as const

const ofObject = (text: string): Level | undefined => {
  try {
    // A line of a log may be any JSON.
    const line = JSON.parse(text) as Partial<Record<typeof keys[number], unknown>> | null
    const level = keys.map((key) => line?.[key]).find((value) => value !== undefined)
    if (typeof level === 'number') return ofNumber(level)
    return typeof level === 'string' ? words[level.toLowerCase()] : undefined
  } catch {
    return undefined
  }
}

/** @returns the level that a line says; undefined where it says none */
export const levelOf = (text: string): Level | undefined => {
  if (text.startsWith('{')) return ofObject(text)
  // Only what stands alone, or after `level=`: "no errors" and "info.txt" are no levels.
  const found = /(?:^|[\s[(|]|level=)"?([A-Za-z]{3,11})"?(?=[\s\]):|,]|$)/g
  for (const [, word = ''] of text.slice(0, looked).matchAll(found)) {
    const level = words[word.toLowerCase()]
    // A sentence has these words too: a level is in capitals, or stands before a sign.
    if (level && (word === word.toUpperCase() || isLabel(text, word))) return level
  }
  return undefined
}

const isLabel = (text: string, word: string): boolean => {
  const at = text.indexOf(word)
  const [before = '', after = ''] = [text[at - 1], text[at + word.length]]
  return (before === '[' && after === ']') || before === '=' || (before === '"' && after === '"') ||
    (after === ':' && at <= looked / 2)
}
