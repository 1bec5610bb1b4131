import { linesOf, withoutFurniture, type Line, type PageItem } from './pdf-lines.js'
import { TableWriter } from './pdf-tables.js'

/** Lines that a paragraph's end divides are farther apart than so many times their size. */
const usualGap = 1.6

/** The size of most characters is that of the text. */
const textSizeOf = (pages: readonly Line[][]): number => {
  const sizes = new Map<number, number>()
  for (const { size, text } of pages.flat()) {
    const rounded = Math.round(size * 2) / 2
    sizes.set(rounded, (sizes.get(rounded) ?? 0) + text.length)
  }
  return [...sizes].reduce((best, one) => one[1] > best[1] ? one : best, [0, 0])[0]
}

const ratioOf = (above: Line, line: Line): number => Math.round((above.y - line.y) / Math.max(line.size, 1) * 10) / 10

/** @returns how far lines must stand apart to be paragraphs: where words run on over wide gaps, these divide nothing */
const gapOf = (pages: readonly Line[][], size: number): number => {
  const counts = new Map<number, { all: number, on: number }>()
  for (const lines of pages) {
    lines.forEach((line, at) => {
      const above = lines[at - 1]
      if (!above || Math.abs(line.size - size) > 1 || Math.abs(above.size - size) > 1) return
      const count = counts.get(ratioOf(above, line)) ?? { all: 0, on: 0 }
      const goesOn = /^\p{Ll}/u.test(line.text) && !/[.!?:;]\s*$/.test(above.text)
      counts.set(ratioOf(above, line), { all: count.all + 1, on: count.on + (goesOn ? 1 : 0) })
    })
  }
  const wide = [...counts].filter(([ratio, { all, on }]) => ratio < 3 && all >= 10 && on * 3 >= all)
  return Math.max(usualGap, ...wide.map(([ratio]) => ratio + 0.15))
}

// Symbol fonts have their bullets in the private area.
const bullet = /^\s*(?:[•▪●■➢➤►❖]\s*(?=\S)|(?:[◦○□✓✔‣⁃∙·–-]|[\uE000-\uF8FF])\s+)/
const starts = /^\s*(?:\[?[A-Z]{1,6}[-_]\d|\d{1,3}(?:\.\d{1,3})*[.)]?\s|\(?[a-z0-9]\)\s)/
/** A hyphen after these is the word's own. */
const compound = /(?:^|[^\p{L}])(?:well|self|non|pre|post|low|high|real|end|cross|multi|long|short|full|half)$/iu

/** Writes lines as Markdown: sizes make headings, distances paragraphs, and divided words are mended. */
class Layout {
  // Only the last part is looked at again: a search in all of the text at each line would be quadratic.
  readonly #parts: string[] = []
  #last: Line | undefined
  #wasHeading = false

  constructor (private readonly size: number, private readonly levels: readonly number[],
    private readonly gap: number) {}

  get text (): string { return this.#parts.join('') }

  get #end (): string { return this.#parts.at(-1) ?? '' }

  #levelOf ({ size, text }: Line): number {
    const level = this.levels.findIndex((one) => Math.abs(one - size) < 0.3)
    return text.trim().length > 150 ? 0 : level + 1
  }

  /** A row stands on a line of its own; the first one of a table is apart from what stands above. */
  #addRow (line: Line, isNewPage: boolean): void {
    const isApart = line.row === 'first' || this.#last?.row === undefined
    const separator = this.#last === undefined ? '' : isApart ? '\n\n' : '\n'
    this.#parts.push(separator + (isNewPage ? '\f' : '') + line.text)
    this.#last = line
    this.#wasHeading = false
  }

  add (line: Line, isNewPage: boolean): void {
    if (line.row) return this.#addRow(line, isNewPage)
    const text = line.text.trimEnd()
    const level = this.#levelOf(line)
    const last = this.#last
    const gap = last && !last.row && !isNewPage ? last.y - line.y : 0
    const isMarked = bullet.test(text) || starts.test(text)
    const isBreak = level > 0 || last?.row !== undefined || this.#wasHeading || isMarked ||
      gap > Math.max(line.size, this.size) * this.gap || (isNewPage && /[.!?:]$/.test(this.#end.trimEnd()))
    const separator = last === undefined
      ? ''
      : isBreak || gap < 0 ? (isNewPage ? '\n\f\n' : '\n\n') : isNewPage ? '\f' : '\n'
    if (level > 0 && this.#wasHeading && last && Math.abs(last.size - line.size) < 0.3 && gap < line.size * 1.7) {
      this.#parts.push(` ${text.trim()}`)
    } else {
      const hashes = '#'.repeat(Math.min(level, 6))
      this.#append(separator, level > 0 ? `${hashes} ${text.trim()}` : text.replace(bullet, '- '))
    }
    this.#last = line
    this.#wasHeading = level > 0
  }

  #append (separator: string, text: string): void {
    const end = this.#end
    // "Ein- und Ausgang" keeps its hyphen.
    const isDivided = /\p{L}[-\u2010\u2011\u00ad]$/u.test(end.slice(-3)) && /^\p{Ll}/u.test(text) &&
      !/^(?:und|oder|bzw|sowie|and|or|et|ou|y|o)(?!\p{L})/u.test(text) && !separator.includes('\n\n') && separator !== ''
    if (!isDivided) {
      this.#parts.push(separator + text)
    } else {
      if (!compound.test(end.slice(-12, -1))) this.#parts[this.#parts.length - 1] = end.slice(0, -1)
      this.#parts.push(text)
    }
  }
}

export interface PdfText { text: string, hasHeadings: boolean }

/** @returns the pages' text without what each page repeats; a form feed stands where a page begins */
export const layOutPdf = (pages: readonly (readonly PageItem[])[]): PdfText => {
  const kept = withoutFurniture(pages.map(linesOf))
  const size = textSizeOf(kept)
  const larger = [...new Set(
    kept.flat().filter((line) => line.size > size * 1.1).map((line) => Math.round(line.size * 2) / 2)
  )]
  const levels = larger.sort((one, other) => other - one).slice(0, 6)
  const layout = new Layout(size, levels, gapOf(kept, size))
  const tables = new TableWriter()
  kept.forEach((page, number) => tables.write(page).forEach((line, at) => layout.add(line, number > 0 && at === 0)))
  return { text: layout.text, hasHeadings: levels.length > 0 }
}
