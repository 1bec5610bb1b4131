import { itemAt } from '../../../../schemas/keys.js'
/** A block of a text. Offsets are into the text, and exclude the markers of lists and headings. */
export interface Block {
  kind: 'heading' | 'item' | 'paragraph' | 'row' | 'code'
  start: number
  end: number
  /** The headings above, outermost first; a heading includes itself. */
  headings: string[]
  /** The indent of a list item, in columns. */
  indent: number
}

interface Line { start: number, end: number, text: string }

const fence = /^ {0,3}(`{3,}|~{3,})/
const atx = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/
const underline = /^ {0,3}(=+|-+)[ \t]*$/
const item = /^([ \t]*)(?:[-*+•‣]|\(?[0-9]{1,4}[.)]|[a-z][.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)/
const row = /^[ \t]*\|.*\|[ \t]*$/
const quote = /^ {0,3}(?:>[ \t]?)+/
const rule = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
/** In plain text, a line that ends with a colon or is in capitals is a heading. */
const label = /^(?:\*\*)?[\p{Lu}][^.!?:|]{1,70}:(?:\*\*)?$/u
const capitals = /^[\p{Lu}\p{N}][\p{Lu}\p{N} &/,'-]{3,60}$/u

/** A line such as "The system must:" is the stem of a list, not a heading. */
const modal = /\b(?:must|shall|should|can|may|will|needs? to|muss|müssen|soll|sollen|doit|doivent|debe|deben)\b/i

const linesOf = (text: string): Line[] => {
  const lines: Line[] = []
  for (let start = 0; start <= text.length;) {
    const next = text.indexOf('\n', start)
    const end = next === -1 ? text.length : next
    lines.push({ start, end, text: text.slice(start, end).replace(/\r$/, '') })
    start = end + 1
  }
  return lines
}

const plainHeading = (text: string): string => text.replace(/(?<![ \t])[ \t]+#+[ \t]*$/, '').replace(/[*_`]/g, '').trim()

/** Levels 1–6 as in Markdown; 7 for a heading in plain text. */
interface Heading { level: number, title: string }

/** Reads the lines in order, each of them once or twice. */
class Scanner {
  readonly blocks: Block[] = []
  #open: Block | undefined
  #path: Heading[] = []
  #fence: string | undefined

  constructor (private readonly lines: Line[], private readonly markdown: boolean) {}

  scan (): Block[] {
    for (let at = this.#skipFrontMatter(); at < this.lines.length; at++) at = this.#read(at)
    return this.blocks
  }

  #skipFrontMatter (): number {
    if (!this.markdown || this.lines[0]?.text !== '---') return 0
    const end = this.lines.findIndex(({ text }, at) => at > 0 && text === '---')
    return end > 0 && end < 100 ? end + 1 : 0
  }

  #read (at: number): number {
    const line = itemAt(this.lines, at)
    const { text } = line
    const fenced = fence.exec(text)?.[1]
    if (this.#fence !== undefined) {
      if (fenced?.startsWith(this.#fence)) this.#fence = undefined
      this.#grow(line)
    } else if (fenced !== undefined) {
      this.#fence = fenced
      this.#push('code', line.start, line.end, 0)
    } else if (text.trim() === '') this.#open = undefined
    else return this.#readText(at, line)
    return at
  }

  #readText (at: number, line: Line): number {
    const { text } = line
    const next = this.lines[at + 1]?.text ?? ''
    const heading = this.#headingOf(text, next, this.#open === undefined)
    if (heading) {
      this.#head(line, heading)
      return at + (heading.level < 3 && underline.test(next) && !atx.test(text) ? 1 : 0)
    }
    const marker = item.exec(text)
    if (marker) this.#push('item', line.start + marker[0].length, line.end, (marker[1] ?? '').length)
    else if (row.test(text)) this.#push('row', line.start, line.end, 0)
    else if (rule.test(text) && this.#open?.kind !== 'item') this.#open = undefined
    else this.#readProse(line)
    return at
  }

  #readProse (line: Line): void {
    if (this.#open?.kind === 'paragraph' || this.#open?.kind === 'item') return this.#grow(line)
    const skip = quote.exec(line.text)?.[0].length ?? line.text.length - line.text.trimStart().length
    this.#push('paragraph', line.start + skip, line.end, 0)
  }

  #headingOf (text: string, next: string, fresh: boolean): Heading | undefined {
    const hashes = atx.exec(text)
    if (hashes) return { level: (hashes[1] ?? '').length, title: plainHeading(hashes[2] ?? '') }
    const trimmed = text.trim()
    if (!fresh || item.test(text) || row.test(text)) return undefined
    const under = underline.exec(next)?.[1]
    if (under && trimmed.length <= 200) return { level: under.startsWith('=') ? 1 : 2, title: plainHeading(trimmed) }
    const isLabel = label.test(trimmed) && !modal.test(trimmed)
    const heads = isLabel || (capitals.test(trimmed) && (next.trim() === '' || item.test(next)))
    return heads ? { level: 7, title: plainHeading(trimmed.replace(/:(\*\*)?$/, '$1')) } : undefined
  }

  #head (line: Line, heading: Heading): void {
    this.#path = [...this.#path.filter(({ level }) => level < heading.level), heading]
    this.#push('heading', line.start, line.end, 0)
    this.#open = undefined
  }

  #push (kind: Block['kind'], start: number, end: number, indent: number): void {
    this.#open = { kind, start, end, headings: this.#path.map(({ title }) => title), indent }
    this.blocks.push(this.#open)
  }

  #grow (line: Line): void {
    if (this.#open) this.#open.end = line.end
  }
}

const prose = new Set(['text/markdown', 'text/html', 'text/plain', 'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document'])

/** @returns whether a text has sentences to read; data formats have none */
export const isProse = (mediaType: string): boolean => prose.has(mediaType.split(';')[0]?.trim() ?? '')

/**
 * @param text an input's extracted text
 * @returns its blocks in order, in linear time
 */
export const blocksOf = (text: string, mediaType: string): Block[] =>
  new Scanner(linesOf(text), mediaType.startsWith('text/markdown')).scan()
