import type { ImportLayout } from '../schemas/inputs.js'
import { isOneOf } from '../schemas/values.js'

/** A file without what a reader of the page does not see, and the file as it was where that is another. */
export interface GivenFile { path: string, text: string, whole?: { text: string, hidden: (readonly [number, number])[] } }

/** Offsets into the text of a file. */
export interface Span { start: number, end: number }

/** A criterion: its lines, and what of them says it, without a number or a label in front. */
export interface TakenCriterion { given: string, when: string, then: string, name?: string, whole: Span, content: Span }

interface TakenItem {
  file: number
  /** From its heading or bullet to the last line before the next. */
  whole: Span
  title: string
  /** Where its heading says the title; a bullet has none. */
  titleAt?: Span
  /** Where the text stands, which code or a table may divide. */
  texts: Span[]
  acceptance: TakenCriterion[]
}

export interface TakenRequirement extends TakenItem {
  /** The id in the files; null = they give none. */
  id: string | null
  statement: string
  /** The story in front of it, as Kiro has one for each. */
  story?: TakenStory
  /** The reason of its removal; null = it is active. */
  retired: string | null
}

export interface TakenStory extends TakenItem { sentence: string, priority: string, test: string }

export const noteLists = ['summary', 'problem', 'goals', 'non_goals', 'edge_cases', 'assumptions', 'risks', 'questions',
  'metrics', 'glossary', 'entities'] as const
export type NoteList = typeof noteLists[number]

/** A line of a section that the spec has too. */
export interface TakenNote { file: number, list: NoteList, text: string, id?: string, whole: Span, content: Span }

/** The content of a spec's files. */
export interface Taken {
  title: string
  requirements: TakenRequirement[]
  stories: TakenStory[]
  notes: TakenNote[]
  /** Lines of the layout that say nothing of what is built, such as "**Status**: Draft". */
  fields: { file: number, span: Span }[]
}

/** The files of each layout that hold requirements, or what they rest on. */
const holders: Record<ImportLayout, RegExp> = {
  'spec-kit': /(?:^|\/)spec\.md$/,
  kiro: /(?:^|\/)(?:requirements|bugfix)\.md$/,
  openspec: /(?:^|\/)(?:spec|proposal|design)\.md$/,
  markdown: /\.(?:md|markdown)$/
}

const sections: [RegExp, NoteList][] = [
  [/^(?:purpose|introduction|summary|overview)$/i, 'summary'],
  [/^(?:problem|why|context)$/i, 'problem'],
  [/^goals$/i, 'goals'],
  [/^(?:non-goals|out of scope)$/i, 'non_goals'],
  [/^edge cases$/i, 'edge_cases'],
  [/^assumptions$/i, 'assumptions'],
  [/^risks(?: \/ trade-offs)?$/i, 'risks'],
  [/^open questions$/i, 'questions'],
  [/^success criteria$/i, 'metrics'],
  [/^glossary$/i, 'glossary'],
  [/^(?:key )?entities$/i, 'entities']
]
const listOf = (name: string): NoteList | undefined =>
  // spec-kit's template says in italics what is mandatory.
  sections.find(([pattern]) => pattern.test(name.replace(/ \*\([^)]{0,200}\)\*$/, '')))?.[1]

/**
 * Splits a text at the first match. Cutting at one mark after another keeps the time linear.
 * @returns the parts before and after the match, or the text alone without a match
 */
const cutAt = (text: string, mark: RegExp): [string, string?] => {
  const found = mark.exec(text)
  return found ? [text.slice(0, found.index), text.slice(found.index + found[0].length)] : [text]
}

/** @returns a criterion in one line by its parts; what is no scenario is all `then` */
export const stepsOf = (text: string): { given: string, when: string, then: string } => {
  const [opening, word = ''] = /^\**(given|when|if)\**:? /i.exec(text) ?? ['']
  const isGiven = word.toLowerCase() === 'given'
  const steps = text.slice(opening.length)
  const [all, rest] = isGiven ? cutAt(steps, /,? \**when\**:? /i) : ['', steps]
  const [when, then] = cutAt(rest ?? '', /,? \**then\**:? /i)
  if (word === '' || !then) return { given: '', when: '', then: text }
  return { given: /^no precondition$/i.test(all) ? '' : all, when, then }
}

/** An id in front of a requirement: "FR-001", "NFR-12", "FR-003a". */
const idOf = /(?:FR|NFR|QR|CR|IR|DR)-\d{1,6}[a-z]?/.source
const headOfRequirement = new RegExp(`^### Requirement: (${idOf}(?= ))? ?(.*)$`)
const headWithId = new RegExp(`^### (${idOf}) (.*)$`)
const openRequirement = new RegExp(`^[-*] \\**(${idOf})\\**:? \\[NEEDS CLARIFICATION: ([^\\]]*)\\]$`)
const lineOfRequirement = new RegExp(`^[-*] \\**(${idOf})\\**:? (.*)$`)
/** A question in a requirement, which says what of it is open. */
const clarification = /\[NEEDS CLARIFICATION: ([^\]]{1,500})\]/g

/** @returns what a statement leaves open, in the words of spec-kit's mark */
export const openIn = (statement: string): string[] => [...statement.matchAll(clarification)].map(([, asked = '']) => asked.trim())

interface Line extends Span { text: string, isBlank: boolean }

const linesOf = function * (text: string): Generator<Line> {
  for (let start = 0; start < text.length;) {
    const next = text.indexOf('\n', start)
    const stop = next === -1 ? text.length : next
    const end = text.charAt(stop - 1) === '\r' && stop > start ? stop - 1 : stop
    const line = text.slice(start, end)
    yield { text: line, start, end: start + line.trimEnd().length, isBlank: line.trim() === '' }
    start = stop + 1
  }
}

/** Where the end of a line stands that says no more than this. */
const tailOf = ({ end }: Span, text: string): Span => ({ start: end - text.length, end })

/** Reads line by line, and keeps the item and section that the next line belongs to. */
class Reader {
  readonly taken: Taken = { title: '', requirements: [], stories: [], notes: [], fields: [] }

  #file = 0
  #item: TakenRequirement | TakenStory | undefined
  #target: NoteList | undefined = 'summary'
  /** What the section above the one of the third level is for. */
  #outer: NoteList | undefined
  #steps: TakenCriterion | undefined
  #last: 'given' | 'when' | 'then' = 'then'
  /** Puts what a further line says where its first line went. */
  #goOn: ((text: string, line: Line) => void) | undefined
  /** Below a heading that is no part of the item, such as "Edge case". */
  #isAside = false
  /** The text of the item was interrupted: what follows stands apart. */
  #isCut = false
  #wasBlank = true
  #fence: string | undefined
  #isRemoved = false
  #isRenamed = false

  open (file: number): void {
    this.#file = file
    this.#section('', 2)
    this.#target = 'summary'
    this.#fence = undefined
  }

  /** Nothing of a block of code is a part of the spec. */
  #isCode (line: string): boolean {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (this.#fence === undefined) {
      this.#fence = mark
      return mark !== undefined
    }
    if (mark?.startsWith(this.#fence)) this.#fence = undefined
    return true
  }

  read (line: Line): void {
    const { text, isBlank } = line
    const isCode = this.#isCode(text)
    if (isCode) this.#isCut = true
    const item = this.#item
    if (!isCode && !isBlank) this.#take(line)
    // What stands below an item belongs to it, also what is no part of its text.
    if (!isBlank && item && item === this.#item) item.whole.end = line.end
    this.#wasBlank = isBlank
  }

  #take (line: Line): void {
    const { text } = line
    const indent = text.length - text.trimStart().length
    const isBelow = indent > 1 || text.startsWith('\t')
    const [, bullet, more] = (isBelow && /^([-*] |\d{1,9}[.)] )?\s*(\S.*)$/.exec(text.slice(indent))) || []
    const isStep = bullet !== undefined && this.#steps !== undefined && /^\**(?:given|when|then|and)\**:? /i.test(more ?? '')
    if (more !== undefined && !isStep && (this.#goOn || /^(?: {4}|\t)/.test(text))) {
      return this.#goOn?.(bullet === undefined ? ` ${more.trim()}` : `\n- ${more.trim()}`, line)
    }
    const flush = text.trimStart()
    for (const [pattern, take] of this.#lines) {
      const match = pattern.exec(flush)
      if (match) return take(match.slice(1).map((part: string | undefined) => (part ?? '').trim()), line)
    }
  }

  readonly #lines: [RegExp, (parts: string[], line: Line) => void][] = [
    [/^# (?:Feature Specification:|Spec:)?(.*)$/, ([title = '']) => { this.#title(title) }],
    [/^### User Story \d+ - (.*?)(?: \(Priority: (P[123])\))?$/, ([title = '', priority = ''], line) => {
      this.#story(title, priority, line)
    }],
    [/^### US-\d+ (.*?)(?: \((P[123])\))?$/, ([title = '', priority = ''], line) => { this.#story(title, priority, line) }],
    [headOfRequirement, ([id, title = ''], line) => { this.#begin(id || null, title, line) }],
    [/^### Requirement (\d{1,5}(?:\.\d{1,5})*)(?:: (.*))?$/, ([number = '', title = ''], line) => {
      this.#begin(number, title, line)
    }],
    [headWithId, ([id = '', title = ''], line) => { this.#begin(id, title, line) }],
    [/^#### Scenario: ?(.*)$/, ([name = ''], line) => { this.#scenario(name, line) }],
    [/^#### (?:Acceptance Criteria|Acceptance)$/i, () => {
      this.#isAside = false
      this.#goOn = undefined
    }],
    [/^####/, () => { this.#setAside() }],
    [/^(#{2,3}) (.*)$/, ([marks = '', name = '']) => { this.#section(name, marks.length) }],
    [openRequirement, ([id = '', question = ''], line) => {
      this.#note('questions', question, line, id, 1)
    }],
    [lineOfRequirement, ([id = '', text = ''], line) => { this.#line(id, text, line) }],
    [/^[-*] \*\*([A-Z]{1,5}-\d{1,6}[a-z]?)\*\*:? (.*)$/, ([id = '', text = ''], line) => {
      const open = /^\[NEEDS CLARIFICATION: ([^\]]*)\]$/.exec(text)?.[1]
      if (open !== undefined) this.#note('questions', open, line, id, 1)
      else if (this.#item || this.#target !== undefined) this.#bullet(text, line, id)
      else this.#line(id, text, line)
    }],
    [/^[-*] \**(?:FR|QR|CR|IR|DR|US)-\d+\.AC\d+\** (.*)$/, ([text = ''], line) => { this.#criterion(text, line) }],
    [/^[-*] \**(GIVEN|WHEN|THEN|AND)\**:? (.*)$/i, ([word = '', text = ''], line) => {
      this.#step(word.toLowerCase(), text, line)
    }],
    [/^\*\*User Story:?\*\*:? (.*)$/i, ([text = ''], line) => { this.#tell(text, line) }],
    [/^(\d+\.) (.*)$/, ([number = '', text = ''], line) => { this.#numbered(number, text, line) }],
    [/^[-*] (.*)$/, ([text = ''], line) => { this.#bullet(text, line) }],
    [/^(?:\*\*)?Independent Test(?:\*\*)?: (.*)$/i, ([text = ''], line) => {
      if (!this.#item || !('test' in this.#item)) return
      const story = this.#item
      const grow = this.#field(line)
      story.test = text
      this.#goOn = (more, further) => {
        story.test += more
        grow(more, further)
      }
    }],
    [/^\*\*Reason\*\*: (.*)$/, ([text = '']) => {
      if (this.#isRemoved && this.#item && 'retired' in this.#item) this.#item.retired = text
    }],
    // "**Goals:**" below "Goals / Non-Goals", as OpenSpec's designs have it.
    [/^\*\*([A-Za-z -]{3,20}):?\*\*:?$/, ([name = '']) => {
      const list = this.#item ? undefined : listOf(name)
      if (list !== undefined) this.#target = list
      else if (this.#item) this.#isAside = !/^acceptance (?:scenarios|criteria)$/i.test(name)
      this.#goOn = undefined
    }],
    [/^(?:>|\||(?:MUST|SHOULD|MAY) · |Why: )/, () => {
      this.#isCut = true
      this.#goOn = undefined
    }],
    // "**Why this priority**: …", "**Status**: Draft", "**Migration**: …"
    [/^(\*\*[^*]{1,60}\*\*.*)$/, ([text = ''], line) => {
      const item = this.#item
      if (item && 'retired' in item && !this.#isRemoved) return this.#text(text, line)
      this.#field(line)
    }],
    [/^\\?(\S.*)$/, ([text = ''], line) => { this.#text(text, line) }]
  ]

  #field ({ start, end }: Line): (text: string, line: Line) => void {
    const span = { start, end }
    this.taken.fields.push({ file: this.#file, span })
    this.#isAside = this.#item !== undefined
    this.#goOn = (_, line) => { span.end = line.end }
    return this.#goOn
  }

  #title (title: string): void {
    this.#section('', 2)
    this.#target = 'summary'
    if (this.taken.title === '' && !/^(?:requirements document|spec delta)$/i.test(title)) {
      this.taken.title = title.replace(/ Specification$/, '')
    }
  }

  /** The story of a requirement, in front of its criteria. */
  #tell (sentence: string, line: Line): void {
    const item = this.#item
    if (!item || !('retired' in item)) return
    const texts = [tailOf(line, sentence)]
    const { file, title } = item
    const whole = { start: line.start, end: line.end }
    const story = { file, whole, title, sentence, texts, priority: 'P2', test: '', acceptance: [] }
    item.story = story
    this.taken.stories.push(story)
    this.#goOn = (more, { end }) => {
      story.sentence += more
      story.texts = [{ start: texts[0]?.start ?? end, end }]
    }
  }

  #reset (): void {
    this.#steps = undefined
    this.#goOn = undefined
    this.#isAside = false
    this.#isCut = false
    this.#item = undefined
  }

  #begin (id: string | null, title: string, line: Line): TakenRequirement | undefined {
    this.#reset()
    if (this.#isRenamed) return undefined
    const at = title === '' ? -1 : line.text.lastIndexOf(title)
    const titleAt = at === -1 ? undefined : { start: line.start + at, end: line.start + at + title.length }
    const whole = { start: line.start, end: line.end }
    const item: TakenRequirement = {
      file: this.#file,
      whole,
      id,
      title: title || `Requirement ${id ?? ''}`,
      ...(titleAt && { titleAt }),
      statement: '',
      texts: [],
      acceptance: [],
      retired: this.#isRemoved ? 'It was removed' : null
    }
    this.taken.requirements.push(item)
    this.#item = item
    return item
  }

  /** A requirement in a bullet, whose text goes on in the lines and bullets that stand further in. */
  #line (id: string, text: string, line: Line): void {
    const item = this.#begin(id, text, line)
    this.#item = undefined
    if (!item) return
    delete item.titleAt
    const { start } = tailOf(line, text)
    item.statement = text
    item.texts = [{ start, end: line.end }]
    this.#goOn = (more, { end }) => {
      item.statement += more
      item.texts = [{ start, end }]
      item.whole.end = end
      item.title = item.statement.split('\n', 1)[0] ?? ''
    }
  }

  #story (title: string, priority: string, line: Line): void {
    this.#reset()
    const at = line.text.indexOf(title)
    const whole = { start: line.start, end: line.end }
    const titleAt = { start: line.start + at, end: line.start + at + title.length }
    const story = { file: this.#file, whole, title, titleAt, sentence: '', texts: [], priority: priority || 'P2', test: '', acceptance: [] }
    this.taken.stories.push(story)
    this.#item = story
  }

  #section (name: string, level: number): void {
    this.#reset()
    this.#isRemoved = /^REMOVED Requirements$/i.test(name)
    this.#isRenamed = /^RENAMED Requirements$/i.test(name)
    const known = listOf(name)
    if (level === 2) this.#outer = known
    // "Measurable Outcomes" below "Success Criteria" is for the same.
    this.#target = known ?? (level === 2 ? undefined : this.#outer)
  }

  #setAside (): void {
    this.#isAside = true
    this.#isCut = true
    this.#goOn = undefined
  }

  /** A name that is an id of ours is given anew. */
  #scenario (name: string, { start, end }: Line): void {
    this.#isAside = false
    const isOwn = name === '' || /^(?:FR|QR|CR|IR|DR|US)-\d+\.AC\d+$/.test(name)
    const span = { start, end }
    this.#steps = { given: '', when: '', then: '', ...(!isOwn && { name }), whole: span, content: span }
    this.#goOn = undefined
    this.#item?.acceptance.push(this.#steps)
  }

  #step (word: string, text: string, line: Line): void {
    const steps = this.#steps
    if (this.#isAside) return
    if (!steps) return this.#bullet(text, line)
    const at = isOneOf(['given', 'when', 'then'], word) ? word : this.#last
    steps[at] = steps[at] ? `${steps[at]} and ${text}` : text
    steps.whole.end = line.end
    this.#last = at
    this.#goOn = (more, { end }) => {
      steps[at] += more
      steps.whole.end = end
    }
  }

  #criterion (text: string, line: Line): void {
    const item = this.#item
    if (!item) return
    let said = text
    const content = tailOf(line, text)
    const criterion: TakenCriterion = { ...stepsOf(text), whole: { start: line.start, end: line.end }, content }
    item.acceptance.push(criterion)
    this.#goOn = (more, { end }) => {
      Object.assign(criterion, stepsOf(said += more))
      criterion.whole.end = end
      content.end = end
      if ('statement' in item && item.texts[0] === content) item.statement = said
    }
    // In Kiro's layout the criteria are all that a requirement says: the first of them is its statement.
    if (!('statement' in item) || item.statement !== '') return
    item.statement = text
    item.texts = [content]
  }

  /** Kiro and spec-kit number criteria; elsewhere a list with numbers is a part of the text. */
  #numbered (number: string, text: string, line: Line): void {
    const item = this.#item
    if (!item) return this.#bullet(text, line)
    if (this.#isAside) return
    if ('test' in item || /^\d/.test(item.id ?? '')) this.#criterion(text, line)
    else this.#grow(item, text, line, `\n${number} `)
  }

  #note (list: NoteList, text: string, line: Line, id?: string, after = 0): void {
    const end = line.end - after
    const whole = { start: line.start, end: line.end }
    const content = { start: end - text.length, end }
    const note: TakenNote = { file: this.#file, list, text, whole, content, ...(id !== undefined && { id }) }
    this.taken.notes.push(note)
    this.#goOn = after > 0
      ? undefined
      : (more, { end: to }) => {
          note.text += more
          whole.end = to
          content.end = to
        }
  }

  #bullet (text: string, line: Line, id?: string): void {
    const item = this.#item
    if (item) {
      if (!this.#isAside && !this.#steps) this.#grow(item, text, line, '\n- ')
      return
    }
    if (this.#target === undefined) return
    const label = /^\**((?:SC|A|Q)-\d+)\**:? (?:\(blocking\) )?/.exec(text)
    const bare = label ? text.slice(label[0].length) : text
    this.#note(this.#target, bare, line, id ?? label?.[1])
  }

  #text (text: string, line: Line): void {
    if (this.#goOn && !this.#wasBlank) return this.#goOn(` ${text}`, line)
    this.#goOn = undefined
    const item = this.#item
    if (this.#isAside) return
    if (item) return this.#grow(item, text, line, ' ')
    if (this.#target !== undefined) this.#note(this.#target, text, line)
  }

  /** The text of an item has as many lines as it has, up to its first scenario. */
  #grow (item: TakenRequirement | TakenStory, text: string, line: Line, between: string): void {
    if (item.acceptance.length > 0) return
    const add = (said: string) => {
      if ('sentence' in item) item.sentence = `${item.sentence}${said}`.trim()
      else item.statement = `${item.statement}${said}`.trim()
    }
    add(item.texts.length === 0 && between === ' ' ? text : `${between}${text}`)
    const last = item.texts.at(-1)
    if (last && !this.#isCut) last.end = line.end
    else item.texts.push({ start: line.end - line.text.trim().length, end: line.end })
    this.#isCut = false
    this.#goOn = (more, { end }) => {
      add(more)
      const open = item.texts.at(-1)
      if (open) open.end = end
    }
  }
}

/** @returns the content of the files of a layout, in linear time */
export const readFiles = (layout: ImportLayout, files: readonly GivenFile[]): Taken => {
  const reader = new Reader()
  files.forEach(({ path, text }, at) => {
    if (!holders[layout].test(path)) return
    reader.open(at)
    for (const line of linesOf(text)) if (line.text.length <= 10_000) reader.read(line)
  })
  return reader.taken
}

/** @returns the parts of "As a <role>, I want to <want>, so that <soThat>."; undefined for any other sentence */
export const readStory = (sentence: string): { role: string, want: string, soThat: string } | undefined => {
  const opening = /^as (?:an? )?/i.exec(sentence)
  const [role, rest] = opening ? cutAt(sentence.slice(opening[0].length), /,? i (?:want to|want|can) /i) : []
  if (role === undefined || rest === undefined || rest.includes('\n')) return undefined
  const [want = '', soThat = ''] = cutAt(rest.replace(/\.$/, ''), /,? so that /i)
  return { role, want, soThat }
}
