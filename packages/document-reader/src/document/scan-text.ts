import { BlockList, type Block, type Cell, type Element, type Heading } from './block.js'
import { contentsOf } from './contents.js'
import { cueLines } from './cues.js'
import { elementOf, isOpaque, readOption } from './directives.js'
import { furnitureOf } from './furniture.js'
import { acceptanceLabel, headingAt, isRule, isUnderlined, item, plainHeading } from './headings.js'
import { indentOf, linesOf, type Line } from './lines.js'
import {
  commentHeading, foldedTitle, foreignGherkin, foreignId, foreignScenario, gherkin, isTagsAlone, scenarioTitle
} from './marks.js'
import { messagesOf, type MessageMark } from './messages.js'
import { fieldLine, runInOf } from './run-ins.js'
import { readPastedCsv } from './scan-csv.js'
import { barCells, headerOf, isSeparator } from './tables.js'

const fence = /^ {0,3}(`{3,}|~{3,})/
/** Scenarios in an issue stand in a block of code. */
const scenarios = /^ {0,3}(?:`{3,}|~{3,})[ \t]*(?:gherkin|feature|cucumber)\b/i
const rules = new Set(['Rule', 'Regel', 'Règle', 'Regla'])
const quote = /^ {0,3}(?:>[ \t]?)+/
const footnote = /^ {0,3}\[\^[^\]\s]{1,40}\]:[ \t]+/
/** "[name]: https://…": where a link leads. */
const definition = /^ {0,3}\[[^\]^\n]{1,200}\]:[ \t]+\S+(?:[ \t]+["'(].{0,200})?[ \t]*$/
const feature = /^[ \t]*(Feature|Funktionalität|Funktion|Fonctionnalité|Característica|Epic|Ability|Business Need|Rule|Regel|Règle|Regla):[ \t]+(?=\S)/
/** Above the table of a scenario outline. */
const examples = /^[ \t]*(?:examples|scenarios|beispiele|exemples|ejemplos):/i
/** A speaker in minutes, or a label: a new paragraph. */
const labelled = /^\p{Lu}[\p{L}]{1,20}(?: \p{Lu}\p{Ll}{1,20})?:[ \t]/u
/** How a story begins that has a line for each of its parts. */
const storyLine = /^(?:as (?:an?|the) |als |en tant qu|como )\p{L}[^.!?:]{2,80}$/iu
const storyNext = /^(?:i (?:want|need|would|can|must)|(?:möchte|will|muss|brauche) ich|je (?:veux|souhaite)|quiero|necesito|deseo)(?!\p{L})/iu
/** What came out of a discussion. */
const outcome = /^(?:->|=>|→|⇒)[ \t]+(?=\S)/
const alert = /^\[!(?:note|tip|important|warning|caution)\]/i

/** "Term" and below it ": what it means". */
const definitionMark = /^[ \t]{0,3}:[ \t]+(?=\S)/

/** Blocks that the line below does not go on. */
const apart: ReadonlySet<Block['kind']> = new Set<Block['kind']>(['row', 'step', 'metadata', 'signature', 'older'])

/** "```{req} Title" and ":::{note}" of MyST, and ":::" that ends one. */
const opens = /^ {0,3}(`{3,}|~{3,}|:{3,})[ \t]*\{([\w:-]{1,60})\}(.*)$/
const colons = /^ {0,3}:{3,}/

/** Reads the lines of Markdown or plain text in order, each of them once or twice. */
export class TextScanner {
  readonly #list = new BlockList()
  readonly #lines: Line[]
  readonly #furniture: ReadonlySet<number>
  readonly #contents: ReadonlySet<number>
  readonly #messages: ReadonlyMap<number, MessageMark>
  #fence: string | undefined
  #inScenarios = false
  #outside: readonly Heading[] = []
  #header: string[] | undefined
  #inTable = false
  #skipped: Cell[] = []
  /** The containers of MyST that are open, with the mark that ends each; fields may follow right below. */
  readonly #containers: { mark: string, element: Element }[] = []
  #inOptions = false

  constructor (private readonly text: string, private readonly dialect: 'markdown' | 'plain' | 'gherkin') {
    this.#lines = linesOf(text)
    const cues = cueLines(this.#lines, text)
    this.#messages = messagesOf(this.#lines, text, cues)
    this.#contents = contentsOf(this.#lines)
    this.#furniture = cues.size > 0 ? cues : dialect === 'markdown' ? new Set() : furnitureOf(this.#lines)
  }

  scan (): Block[] {
    for (let at = this.#readFrontMatter(); at < this.#lines.length; at++) at = this.#read(at)
    return this.#list.blocks
  }

  #readFrontMatter (): number {
    if (this.dialect !== 'markdown' || this.#lines[0]?.text !== '---') return 0
    const end = this.#lines.findIndex(({ text }, at) => at > 0 && text === '---')
    if (end <= 0 || end >= 100) return 0
    for (const { start, end: to, isBlank } of this.#lines.slice(1, end)) {
      if (!isBlank) this.#list.push('metadata', start, to)
    }
    this.#list.close()
    return end + 1
  }

  #read (at: number): number {
    const line = this.#lines[at]
    if (!line) return at
    const message = this.#messages.get(at)
    if (message) this.#readMessage(line, message)
    else if (this.#furniture.has(at)) this.#skip(line)
    else if (this.#fence === undefined && this.dialect === 'markdown' && this.#readContainer(line)) return at
    else if (this.#isScenarioFence(line.text)) this.#readEntry(line)
    else if (this.#fence !== undefined || fence.test(line.text)) this.#readCode(line)
    else if (line.isBlank) this.#readBlank(at, line)
    else if (this.#contents.has(at)) this.#readEntry(line)
    else return this.#readText(at, line)
    return at
  }

  /** What divides the messages of a thread, or is no part of what their authors wrote. */
  #readMessage (line: Line, mark: MessageMark): void {
    if (mark.kind === 'head') {
      this.#list.comment = mark.comment
      this.#list.head(line.start, mark.skip > 0 ? line.start + mark.skip : line.end, { level: 1, title: mark.title })
      if (mark.skip > 0) this.#list.push('paragraph', line.start + mark.skip, line.end)
    } else if (line.isBlank) this.#list.close()
    else if (mark.kind === 'older' && this.#list.open?.kind === 'older') this.#list.grow(line.end)
    else this.#list.push(mark.kind, line.start + (quote.exec(line.text)?.[0].length ?? 0), line.end)
    if (mark.kind === 'metadata') this.#list.close()
  }

  /** A directive of MyST holds text like any other, unless it is code: its fences and fields are no sentences. */
  #readContainer (line: Line): boolean {
    const open = this.#containers.at(-1)
    const [, mark = '', name = '', argument = ''] = opens.exec(line.text) ?? []
    if (mark !== '' && !isOpaque(name)) {
      const element = elementOf(name, argument.trim())
      this.#containers.push({ mark, element })
      this.#inOptions = true
    } else if (open && line.text.trim() === open.mark) {
      this.#containers.pop()
      this.#inOptions = false
    } else if (!(open && this.#inOptions && readOption(open.element, line.text)) && !(mark === '' && colons.test(line.text))) {
      this.#inOptions = false
      return false
    }
    this.#list.close()
    this.#readEntry(line)
    this.#list.element = this.#containers.at(-1)?.element
    return true
  }

  #isScenarioFence (text: string): boolean {
    const isFence = this.#inScenarios ? fence.test(text) : this.#fence === undefined && scenarios.test(text)
    if (!isFence) return false
    // Its "Feature: …" is a heading within the block alone.
    if (this.#inScenarios) this.#list.reopen(this.#outside)
    else this.#outside = this.#list.path
    this.#inScenarios = !this.#inScenarios
    return true
  }

  /** A title in a table of contents is no heading. */
  #readEntry (line: Line): void {
    this.#list.push('metadata', line.start, line.end)
    this.#list.close()
  }

  #skip (line: Line): void {
    this.#skipped.push({ start: line.start, end: line.end })
  }

  /** A page's end does not end a paragraph: what it left blank is skipped with it. */
  #readBlank (at: number, line: Line): void {
    this.#inTable = false
    this.#header = undefined
    const isPageEnd = this.#skipped.length > 0 || (this.#furniture.size > 0 && this.#nextText(at) === 'furniture')
    if (isPageEnd && this.#list.open && !/[.!?:]\s*$/.test(this.text.slice(this.#list.open.start, this.#list.open.end))) {
      return this.#skip(line)
    }
    this.#list.close()
    this.#skipped = []
  }

  #nextText (at: number): 'furniture' | 'text' {
    for (let next = at + 1; next < this.#lines.length; next++) {
      if (this.#furniture.has(next)) return 'furniture'
      if (!this.#lines[next]?.isBlank) return 'text'
    }
    return 'text'
  }

  #readCode (line: Line): void {
    const mark = fence.exec(line.text)?.[1]
    if (this.#fence === undefined) {
      this.#fence = mark
      this.#list.push('code', line.start, line.end)
    } else {
      if (mark?.startsWith(this.#fence)) this.#fence = undefined
      // The head of a message in the block has ended it, and the block goes on.
      if (this.#list.open?.kind === 'code') this.#list.grow(line.end)
      else if (!line.isBlank) this.#list.push('code', line.start, line.end)
    }
  }

  #readText (at: number, line: Line): number {
    const next = this.#lines[at + 1]?.text ?? ''
    if (this.#readGherkin(line)) return at
    const csv = this.#list.open === undefined ? readPastedCsv(this.#list, this.text, this.#lines, at) : undefined
    if (csv !== undefined) return csv
    const heading = headingAt(this.#lines, at, this.#list.open === undefined)
    if (heading) {
      this.#readComment(line.text)
      this.#list.head(line.start, line.end, heading)
      return at + (isUnderlined(line.text, next, heading) ? 1 : 0)
    }
    if (this.#readRunIn(line) || this.#readTags(line)) return at
    const marker = item.exec(line.text)
    if (this.#isRow(line.text, next)) this.#readRow(line, next)
    else if (this.#isStep(at)) this.#readStep(line, marker?.[0].length ?? indentOf(line.text))
    else if (marker) {
      this.#list.push('item', line.start + marker[0].length, line.end, (marker[1] ?? marker[2] ?? '').length)
    } else if (isRule(line.text) && this.#list.open?.kind !== 'item') this.#list.close()
    else this.#readProse(line, next)
    return at
  }

  /** Only where a section's name stands in front: "**Note**: …" and "**Ada**: …" name none. */
  #readRunIn (line: Line): boolean {
    const found = runInOf(line.text, this.#list.open?.kind)
    if (!found) return false
    this.#list.headRunIn(line.start, found.title, line.start + found.length, line.end)
    return true
  }

  #readTags (line: Line): boolean {
    const title = this.dialect === 'markdown' && line.text.includes('<') ? foldedTitle.exec(line.text)?.[1] : undefined
    if (title !== undefined) this.#list.head(line.start, line.end, { level: 7, title: plainHeading(title) })
    else if (this.dialect !== 'markdown' || !isTagsAlone(line.text)) return false
    else {
      this.#list.push('metadata', line.start, line.end)
      this.#list.close()
    }
    return true
  }

  /** "Feature: …" is a heading, "Rule: …" a demand, and # a comment in files of Gherkin. */
  #readGherkin (line: Line): boolean {
    const found = feature.exec(line.text)
    if (found && !rules.has(found[1] ?? '')) {
      this.#list.head(line.start, line.end, { level: 7, title: line.text.trim().slice(0, 200) })
    } else if (found) this.#list.push('item', line.start + found[0].length, line.end)
    else if (examples.test(line.text) && this.#list.blocks.at(-1)?.kind === 'step') {
      this.#list.push('metadata', line.start, line.end)
    } else if (this.dialect === 'gherkin' && line.text.trimStart().startsWith('#')) {
      this.#list.push('metadata', line.start, line.end)
      this.#list.close()
    } else return false
    return true
  }

  #readComment (text: string): void {
    const found = commentHeading.exec(text)
    if (found?.[1] && found[2]) this.#list.comment = { author: found[1], at: found[2] }
  }

  #isRow (line: string, next: string): boolean {
    const trimmed = line.trim()
    if (trimmed.startsWith('|') && trimmed.endsWith('|') && trimmed.length > 1) return true
    return trimmed.includes('|') && (this.#inTable || isSeparator(trimmed) || isSeparator(next.trim()))
  }

  #readRow (line: Line, next: string): void {
    const cells = barCells(this.text, line.start, line.end)
    const isHead = this.#header === undefined && isSeparator(next.trim())
    this.#list.push('row', line.start, line.end, 0, { cells, header: this.#header })
    if (isSeparator(line.text.trim())) this.#list.open?.row?.cells.splice(0)
    if (isHead || (this.#header === undefined && !this.#inTable)) this.#header = headerOf(this.text, cells)
    this.#inTable = true
  }

  #isTitle (text: string): boolean {
    return scenarioTitle.test(text) || (this.dialect === 'gherkin' && foreignScenario.test(text))
  }

  #isGherkin (text: string): boolean {
    return gherkin.test(text) || (this.dialect === 'gherkin' && foreignGherkin.test(text))
  }

  /** A line of a scenario has another one beside it, or follows a title. */
  #isStep (at: number): boolean {
    const { text = '' } = this.#lines[at] ?? {}
    if (this.#isTitle(text)) return true
    if (!this.#isGherkin(text)) return false
    return [at - 1, at + 1].some((near) => {
      const other = this.#lines[near]?.text ?? ''
      return this.#isGherkin(other) || this.#isTitle(other)
    })
  }

  #readStep (line: Line, skip: number): void {
    const kind = this.#isTitle(line.text) ? 'metadata' : 'step'
    this.#list.push(kind, line.start + skip, line.end, indentOf(line.text))
  }

  #readProse (line: Line, next: string): void {
    const { text } = line
    const open = this.#list.open?.kind
    if (this.dialect === 'markdown' && definition.test(text)) {
      this.#list.push('metadata', line.start, line.end)
      return
    }
    const defined = this.dialect === 'markdown' && open === 'paragraph' ? definitionMark.exec(text) : null
    if (defined) {
      this.#list.push('paragraph', line.start + defined[0].length, line.end)
      return
    }
    const note = footnote.exec(text)
    if (note) {
      this.#list.push('footnote', line.start + note[0].length, line.end)
      return
    }
    const quoted = quote.exec(text)
    if (quoted && open !== 'quote' && open !== 'paragraph') {
      const isAlert = alert.test(text.slice(quoted[0].length))
      const skip = isAlert ? text.length : quoted[0].length
      this.#list.push(isAlert ? 'paragraph' : 'quote', line.start + skip, line.end)
      return
    }
    const goesOn = open !== undefined && !apart.has(open)
    const isLabel = open === 'paragraph' && (labelled.test(text) || fieldLine.test(text) ||
      acceptanceLabel.test(text) || outcome.test(text) || (storyLine.test(text) && storyNext.test(next)))
    // An item goes on in the line below, but not with a label of its own.
    const isApart = open === 'item' && (/^\p{Lu}\p{L}{1,20}:[ \t]/u.test(text) || outcome.test(text))
    if (goesOn && !foreignId(text) && !isLabel && !isApart) {
      this.#list.grow(line.end, this.#skipped)
      this.#skipped = []
      return
    }
    this.#list.push(this.#isIndented(line) ? 'code' : 'paragraph', line.start + indentOf(text), line.end)
  }

  /** Four spaces begin code in Markdown, unless a list goes on. */
  #isIndented ({ text }: Line): boolean {
    return this.dialect === 'markdown' && /^(?: {4}|\t)/.test(text) && this.#list.blocks.at(-1)?.kind !== 'item'
  }
}
