/** A piece of a page's text as the library gives it: `transform` has its position, sizes are in points. */
export interface PageItem { str?: string, hasEOL?: boolean, height?: number, width?: number, transform?: number[] }

/** Text without wide gaps: a word, a line of a paragraph, or a line of a table's cell. */
export interface Run { text: string, x: number, right: number, y: number, size: number }

/** Runs that follow each other on nearly the same height. */
export interface Line {
  text: string
  size: number
  y: number
  x: number
  runs: Run[]
  /** It is a row of a table, written as Markdown; first = the table begins with it. */
  row?: 'first' | 'next'
}

/** Columns of a table stand farther apart than words, in sizes of the type. */
const columnGap = 0.9

/** Some programs give no width: most letters are half as wide as high. */
const widthOf = ({ str = '', width, height = 0 }: PageItem): number => width ?? str.length * Math.max(height, 1) * 0.5

const addRun = (line: Line, item: PageItem, x: number, isSpaced: boolean): void => {
  const { str = '', height = 0 } = item
  const right = x + widthOf(item)
  const last = line.runs.at(-1)
  const size = Math.max(height, line.size, 1)
  if (last && x - last.right <= size * columnGap && x >= last.x - size) {
    const isApart = isSpaced || x - last.right > size * 0.15
    last.text += `${isApart && !/\s$/.test(last.text) ? ' ' : ''}${str}`
    last.right = Math.max(last.right, right)
  } else line.runs.push({ text: str, x, right, y: line.y, size })
}

/** What some programs print in front of its letter: "m¨ussen", "espa˜na", "fran¸cais". */
const loose: Readonly<Record<string, string>> = { '¨': '\u0308', '˜': '\u0303', '¸': '\u0327' }
const composed = (text: string): string => /[¨˜¸]/.test(text)
  ? text.replace(/([¨˜¸]) ?([aouAOUnNcC])/g, (_, sign: string, letter: string) =>
    (letter + (loose[sign] ?? '')).normalize('NFC'))
  : text

const isWritten = ({ text }: Line): boolean => text.trim() !== ''

/** Items on nearly the same height make a line. */
export const linesOf = (items: readonly PageItem[]): Line[] => {
  const lines: Line[] = []
  let open: Line | undefined
  let [right, isSpaced] = [0, false]
  for (const item of items) {
    const { str = '', hasEOL, height = 0, transform = [] } = item
    const [x = 0, y = 0] = [transform[4], transform[5]]
    if (open && str !== '' && Math.abs(open.y - y) > Math.max(2, open.size / 2)) open = undefined
    if (str !== '' && !open) lines.push(open = { text: '', size: 0, y, x, runs: [] })
    if (open && str !== '') {
      // Columns of a table stand far apart.
      if (open.text !== '' && x - right > open.size * 2 && right > 0) open.text += '   '
      open.text += str
      const isBlank = str.trim() === ''
      if (!isBlank) open.size = Math.max(open.size, height)
      if (!isBlank) addRun(open, item, x, isSpaced)
      isSpaced = isBlank
      right = x + (isBlank || item.width === undefined ? str.length * Math.max(height, 1) * 0.5 : item.width)
    }
    if (hasEOL) open = undefined
  }
  return lines.filter(isWritten).map((line) => ({
    ...line,
    text: composed(line.text),
    runs: line.runs.map((run) => ({ ...run, text: composed(run.text) }))
  }))
}

const maxKey = 120
const wordsOf = ({ text }: Line): string => text.slice(0, maxKey).replace(/\s+/g, ' ').trim()
const edge = 2
/** A page's header may have some lines, and programs may write the footer before the text. */
const outermost = 4

/**
 * @param page from 0
 * @returns what a line is called where it may stand on each page: as it is, and, of what is no sentence, by each of its
 * numbers as the distance from the page's own. `Door 7 must open.` on each page is no furniture, `Page 7` is.
 */
const callsOf = (line: Line, page: number): string[] => {
  const words = wordsOf(line)
  if (/[.;!?]$/.test(words)) return [words]
  const numbered = words.replace(/\d+/g, '#')
  return [words, ...[...words.matchAll(/\d{1,6}/g)].map(([number], at) => `${numbered} ${at} ${Number(number) - page}`)]
}

/** The first and last lines as they are written, and those at the top and the bottom, with their height. */
const atEdges = (lines: readonly Line[]): { line: Line, height: string }[] => {
  const byHeight = [...lines].sort((one, other) => other.y - one.y)
  const outer = [...new Set([...byHeight.slice(0, outermost), ...byHeight.slice(-outermost)])]
  return [
    ...[...lines.slice(0, edge), ...lines.slice(-edge)].map((line) => ({ line, height: '' })),
    ...outer.map((line) => ({ line, height: ` at ${Math.round(line.y / 4)}` }))
  ]
}

/** @returns the lines of each page without those that stand at the edges of at least half of the pages */
export const withoutFurniture = (pages: readonly Line[][]): Line[][] => {
  const counts = new Map<string, number>()
  const edges = pages.map((lines, page) => atEdges(lines).map(({ line, height }) =>
    ({ line, calls: callsOf(line, page).map((call) => call + height) })))
  for (const found of edges) {
    for (const call of new Set(found.flatMap(({ calls }) => calls))) counts.set(call, (counts.get(call) ?? 0) + 1)
  }
  const least = Math.max(2, pages.length / 2)
  return pages.map((lines, page) => {
    const repeated = new Set((edges[page] ?? []).flatMap(({ line, calls }) =>
      calls.some((call) => (counts.get(call) ?? 0) >= least) ? [line] : []))
    return lines.filter((line) => !repeated.has(line))
  })
}
