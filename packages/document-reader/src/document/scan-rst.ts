import { BlockList, type Block, type Cell, type Element } from './block.js'
import { elementOf, isOpaque, readOption } from './directives.js'
import { indentOf, linesOf, type Line } from './lines.js'
import { csvRecord, headerOf } from './tables.js'

const adornment = /^([!-/:-@[-`{-~])\1{2,}[ \t]*$/
const directive = /^[ \t]*\.\. (?:\|[^|]{1,40}\| )?([\w-]{1,40})::(.*)$/
const comment = /^[ \t]*\.\.(?: |$)/
const target = /^[ \t]*\.\. (?:_[^:]{1,100}:|\[[^\]]{1,40}\])/
const longestTerm = 60
const field = /^:[A-Za-z][\w -]{0,40}:(?: |$)/
const header = /^[A-Z][\w-]{1,40}: /
const bullet = /^([ \t]*)(?:[-*+•][ \t]+|(?:\d{1,4}|#|[a-z])[.)][ \t]+|\(\d{1,4}\)[ \t]+)(?=\S)/
const simpleRule = /^[ \t]*={2,}(?: +={2,})+[ \t]*$/

/** Reads the structures of reStructuredText that PEPs and documentation use, in linear time. */
export class RstScanner {
  readonly #list = new BlockList()
  readonly #lines: Line[]
  /** Adornments by their first use: the order gives the levels. */
  readonly #levels: string[] = []
  #isLiteral = false
  readonly #terms = new Set<Block>()
  #table: Cell[] | undefined
  #listHeader: string[] | undefined
  #listRow: Cell[] = []
  /** The directives that are open, outermost first. */
  readonly #elements: { indent: number, element: Element }[] = []
  /** Rows of a csv-table by their lines. */
  readonly #rows = new Map<number, { cells: Cell[], header: string[] | undefined }>()

  constructor (private readonly text: string) {
    this.#lines = linesOf(text)
  }

  scan (): Block[] {
    for (let at = this.#readHeader(); at < this.#lines.length; at++) at = this.#read(at)
    this.#endListRow()
    return this.#list.blocks
  }

  /** A PEP begins with the lines of a mail's header. */
  #readHeader (): number {
    let at = 0
    if (!header.test(this.#lines[0]?.text ?? '')) return 0
    for (; this.#lines[at] && !this.#lines[at]?.isBlank; at++) {
      const line = this.#lines[at]
      if (line) this.#list.push('metadata', line.start, line.end)
    }
    this.#list.close()
    return at
  }

  #read (at: number): number {
    const line = this.#lines[at]
    if (!line) return at
    if (line.isBlank) {
      this.#list.close()
      return at
    }
    this.#closeElements(line)
    const values = this.#rows.get(at)
    if (values) {
      this.#list.push('row', line.start + indentOf(line.text), line.end, 0, { ...values, isDoubled: true })
      this.#list.close()
      return at
    }
    if (this.#isLiteral) {
      this.#isLiteral = false
      if (indentOf(line.text) > 0) return this.#readIndented(at, 'code')
    }
    if (simpleRule.test(line.text)) return this.#readRule(line, at)
    if (this.#table) return this.#readTableRow(line, at)
    return this.#readHeading(at, line) ?? this.#readMarked(at, line) ?? this.#readProse(at, line)
  }

  #levelOf (style: string): number {
    const held = this.#levels.indexOf(style)
    return held === -1 ? this.#levels.push(style) : held + 1
  }

  #readHeading (at: number, line: Line): number | undefined {
    const isOver = adornment.test(line.text)
    const title = this.#lines[at + (isOver ? 1 : 0)]
    const under = this.#lines[at + (isOver ? 2 : 1)]
    const mark = adornment.exec(under?.text ?? '')?.[1]
    if (isOver && !(title && !title.isBlank && mark)) {
      return adornment.test(line.text) && title?.isBlank ? at : undefined
    }
    const isHeading = mark !== undefined && title && this.#list.open === undefined &&
      title.text.trim().length <= 200 && !/^[ \t]/.test(isOver ? '' : title.text)
    if (!isHeading) return undefined
    this.#endListRow()
    this.#list.head(title.start, title.end, {
      level: this.#levelOf(`${isOver ? 'over' : ''}${mark}`), title: title.text.replace(/[*`]/g, '').trim()
    })
    return at + (isOver ? 2 : 1)
  }

  #readMarked (at: number, line: Line): number | undefined {
    const found = directive.exec(line.text)
    if (found) return this.#readDirective(at, line, found[1] ?? '', found[2] ?? '')
    const named = target.exec(line.text)
    if (named) {
      this.#list.push('footnote', line.start + named[0].length, line.end)
      return at
    }
    if (comment.test(line.text)) return this.#readIndented(at, 'metadata')
    if (field.test(line.text)) {
      const isListed = this.#goesOn()
      const skip = isListed ? line.text.indexOf(':') + 1 : 0
      this.#list.push(isListed ? 'item' : 'metadata', line.start + skip, line.end)
      return at
    }
    return undefined
  }

  /** A list of fields or terms that a line with a colon introduces, or one that has begun so. */
  #goesOn (): boolean {
    const last = this.#list.blocks.at(-1)
    const isTerm = last !== undefined && this.#terms.has(last)
    return isTerm || (last?.kind === 'item' && this.text.charAt(last.start - 1) === ':') ||
      (last?.kind === 'paragraph' && this.text.charAt(last.end - 1) === ':')
  }

  /** A short line with its text indented below it, in a list of terms. */
  #isTerm (at: number, { text }: Line): boolean {
    const below = this.#lines[at + 1]
    const isShort = indentOf(text) === 0 && text.length <= longestTerm && !/[.:?!]$/.test(text)
    return this.#list.open === undefined && isShort &&
      below !== undefined && !below.isBlank && indentOf(below.text) > 0 && this.#goesOn()
  }

  /** The body of a directive is read like the rest, with the fields above it; that of code and figures is not. */
  #readDirective (at: number, line: Line, name: string, argument: string): number {
    this.#endListRow()
    this.#listHeader = undefined
    if (isOpaque(name)) return this.#readIndented(at, 'code')
    const element = elementOf(name, argument)
    let next = at
    for (let ahead = at + 1; this.#isOption(line, ahead, element); ahead++) if (!this.#lines[ahead]?.isBlank) next = ahead
    this.#elements.push({ indent: indentOf(line.text), element })
    this.#list.element = element
    const { start, end } = { start: line.start + indentOf(line.text), end: this.#lines[next]?.end ?? line.end }
    this.#list.push('metadata', start, end)
    this.#list.close()
    if (name === 'list-table') this.#listHeader = []
    if (name === 'csv-table') this.#readCsv(line, next, element)
    return next
  }

  /** Fields stand right below a directive, or below a blank line. */
  #isOption (head: Line, at: number, element: Element): boolean {
    const line = this.#lines[at]
    if (!line) return false
    if (line.isBlank) {
      const below = this.#lines[at + 1]
      return below !== undefined && indentOf(below.text) > indentOf(head.text) && /^[ \t]+:[A-Za-z][\w-]{0,40}:/.test(below.text) &&
        (this.#lines[at - 1] === head)
    }
    return indentOf(line.text) > indentOf(head.text) && readOption(element, line.text)
  }

  /** The values of a csv-table, below its header. */
  #readCsv (head: Line, after: number, { fields }: Element): void {
    const named = fields.header ?? ''
    const header = named === '' ? undefined : headerOf(named, csvRecord(named, 0, ',').cells)
    for (let at = after + 1; at < this.#lines.length; at++) {
      const line = this.#lines[at]
      if (!line || (!line.isBlank && indentOf(line.text) <= indentOf(head.text))) break
      if (line.isBlank) continue
      const { cells } = csvRecord(this.text, line.start + indentOf(line.text), ',')
      const inside = cells.filter(({ end }) => end <= line.end)
      this.#rows.set(at, { cells: inside, header })
    }
  }

  /** What is indented no more than a directive stands behind it. */
  #closeElements (line: Line): void {
    while ((this.#elements.at(-1)?.indent ?? -1) >= indentOf(line.text)) this.#elements.pop()
    this.#list.element = this.#elements.at(-1)?.element
  }

  /** Takes the line and all below it that are indented more. */
  #readIndented (at: number, kind: 'code' | 'metadata'): number {
    const [first] = this.#lines.slice(at, at + 1)
    if (!first) return at
    const least = kind === 'code' && !directive.test(first.text) ? 0 : indentOf(first.text)
    const block = this.#list.push(kind, first.start + indentOf(first.text), first.end)
    let last = at
    for (let next = at + 1; next < this.#lines.length; next++) {
      const line = this.#lines[next]
      if (!line || (!line.isBlank && indentOf(line.text) <= least)) break
      if (!line.isBlank) last = next
    }
    block.end = this.#lines[last]?.end ?? block.end
    this.#list.close()
    return last
  }

  #readRule (line: Line, at: number): number {
    if (!this.#table) {
      this.#table = [...line.text.matchAll(/=+/g)].map(({ 0: run, index }) => ({ start: index, end: index + run.length }))
      this.#listHeader = undefined
      return at
    }
    if (this.#lines[at + 1] === undefined || this.#lines[at + 1]?.isBlank) this.#table = undefined
    return at
  }

  #readTableRow (line: Line, at: number): number {
    const columns = this.#table ?? []
    const cells = columns.map(({ start }, index) => {
      const to = columns[index + 1]?.start ?? line.text.length
      return { start: Math.min(line.end, line.start + start), end: Math.min(line.end, line.start + to) }
    })
    const isHead = this.#listHeader === undefined
    this.#list.push('row', line.start, line.end, 0, { cells, header: this.#listHeader })
    if (isHead) this.#listHeader = headerOf(this.text, cells)
    this.#list.close()
    return at
  }

  /** A row of a list-table is a list in a list: "* - first", "- second". */
  #readCell (line: Line): boolean {
    const found = /^[ \t]+(\* )?- (.*)$/.exec(line.text)
    if (!this.#listHeader || !found) return false
    if (found[1]) this.#endListRow()
    this.#listRow.push({ start: line.end - (found[2] ?? '').length, end: line.end })
    return true
  }

  #endListRow (): void {
    const [first, last] = [this.#listRow[0], this.#listRow.at(-1)]
    if (first && last && this.#listHeader) {
      const isHead = this.#listHeader.length === 0
      const row = { cells: this.#listRow, header: isHead ? undefined : this.#listHeader }
      this.#list.push('row', first.start, last.end, 0, row)
      if (isHead) this.#listHeader = headerOf(this.text, this.#listRow)
      this.#list.close()
    }
    this.#listRow = []
  }

  #readProse (at: number, line: Line): number {
    if (this.#listHeader && indentOf(line.text) > 0) {
      if (this.#readCell(line)) return at
      const cell = this.#listRow.at(-1)
      if (cell) cell.end = line.end
      return at
    }
    this.#endListRow()
    this.#listHeader = undefined
    const marker = bullet.exec(line.text)
    if (marker) this.#list.push('item', line.start + marker[0].length, line.end, (marker[1] ?? '').length)
    else if (this.#isTerm(at, line)) this.#terms.add(this.#list.push('item', line.start, line.end))
    else if (this.#list.open) this.#list.grow(line.end)
    else this.#list.push('paragraph', line.start + indentOf(line.text), line.end)
    if (/::[ \t]*$/.test(line.text)) this.#isLiteral = true
    return at
  }
}
