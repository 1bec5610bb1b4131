import type { ImportLayout } from '../schemas/inputs.js'
import { isOneOf } from '../schemas/values.js'

export interface GivenFile { path: string, text: string }
type Steps = { given: string, when: string, then: string, name?: string }

export interface TakenRequirement {
  /** The id in the files; null = the layout has none. */
  id: string | null
  title: string
  statement: string
  acceptance: Steps[]
  /** The story in front of it, as Kiro has one for each. */
  story?: TakenStory
  /** The number that the file gives it. */
  number?: string
  /** The reason of its removal; null = it is active. */
  retired: string | null
}

export interface TakenStory { title: string, sentence: string, priority: string, test: string, acceptance: Steps[] }

/** The content of a spec's files. */
export interface Taken {
  title: string
  summary: string[]
  problem: string[]
  requirements: TakenRequirement[]
  stories: TakenStory[]
  lists: Record<'goals' | 'non_goals' | 'edge_cases' | 'assumptions' | 'risks' | 'questions' | 'metrics', string[]>
}

/** The files of each layout that hold requirements. */
const holders: Record<ImportLayout, RegExp> = {
  'spec-kit': /(?:^|\/)spec\.md$/,
  kiro: /(?:^|\/)(?:requirements|bugfix)\.md$/,
  openspec: /(?:^|\/)spec\.md$/,
  markdown: /\.(?:md|markdown)$/
}

const sections: [RegExp, keyof Taken['lists'] | 'summary' | 'problem'][] = [
  [/^(?:purpose|introduction|summary|overview)$/i, 'summary'],
  [/^(?:problem|why)$/i, 'problem'],
  [/^goals$/i, 'goals'],
  [/^(?:non-goals|out of scope)$/i, 'non_goals'],
  [/^edge cases$/i, 'edge_cases'],
  [/^assumptions$/i, 'assumptions'],
  [/^risks$/i, 'risks'],
  [/^open questions$/i, 'questions'],
  [/^success criteria$/i, 'metrics']
]

/**
 * Splits a text at the first match. Cutting at one mark after another keeps the time linear.
 * @returns the parts before and after the match, or the text alone without a match
 */
const cutAt = (text: string, mark: RegExp): [string, string?] => {
  const found = mark.exec(text)
  return found ? [text.slice(0, found.index), text.slice(found.index + found[0].length)] : [text]
}

const stepsOf = (text: string): Steps => {
  const [opening, word = ''] = /^\**(given|when|if)\**:? /i.exec(text) ?? ['']
  const isGiven = word.toLowerCase() === 'given'
  const steps = text.slice(opening.length)
  const [all, rest] = isGiven ? cutAt(steps, /,? \**when\**:? /i) : ['', steps]
  const [when, then] = cutAt(rest ?? '', /,? \**then\**:? /i)
  if (word === '' || !then) return { given: '', when: '', then: text }
  return { given: /^no precondition$/i.test(all) ? '' : all, when, then }
}

/** Reads line by line, and keeps the item and section that the next line belongs to. */
class Reader {
  readonly taken: Taken = {
    title: '',
    summary: [],
    problem: [],
    requirements: [],
    stories: [],
    lists: { goals: [], non_goals: [], edge_cases: [], assumptions: [], risks: [], questions: [], metrics: [] }
  }

  #item: TakenRequirement | TakenStory | undefined
  #target: typeof sections[number][1] | undefined = 'summary'
  #steps: Steps | undefined
  #last: 'given' | 'when' | 'then' = 'then'
  /** Puts what an indented line goes on with where its first line went. */
  #goOn: ((text: string) => void) | undefined
  /** Below a heading that is no part of the item, such as "Edge case". */
  #isAside = false
  #fence: string | undefined
  #isRemoved = false
  #isRenamed = false

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

  read (line: string): void {
    if (this.#isCode(line)) return
    const more = /^\s{2,}(?![-*]\s|\d+\.\s)(\S.*)$/.exec(line)?.[1]
    if (more !== undefined) return this.#goOn?.(more.trim())
    this.#goOn = undefined
    for (const [pattern, take] of this.#lines) {
      const match = pattern.exec(line)
      if (match) return take(match.slice(1).map((part: string | undefined) => (part ?? '').trim()))
    }
  }

  readonly #lines: [RegExp, (parts: string[]) => void][] = [
    [/^# (?:Feature Specification:|Spec:)?(.*)$/, ([title = '']) => { this.#title(title) }],
    [/^### User Story \d+ - (.*?)(?: \(Priority: (P[123])\))?$/, ([title = '', priority = '']) => {
      this.#story(title, priority)
    }],
    [/^### US-\d+ (.*?)(?: \((P[123])\))?$/, ([title = '', priority = '']) => { this.#story(title, priority) }],
    [/^### Requirement: ((?:FR|QR|CR|IR|DR)-\d{3,6})? ?(.*)$/, ([id, title = '']) => { this.#begin(id || null, title) }],
    [/^### Requirement (\d{1,5}(?:\.\d{1,5})*)(?:: (.*))?$/, ([number = '', title = '']) => {
      const isWhole = /^\d+$/.test(number)
      this.#begin(isWhole ? `FR-${number.padStart(3, '0')}` : null, title || `Requirement ${number}`)
      if (!isWhole && this.#item && 'retired' in this.#item) this.#item.number = number
    }],
    [/^### ((?:FR|QR|CR|IR|DR)-\d{3,6}) (.*)$/, ([id = '', title = '']) => { this.#begin(id, title) }],
    [/^#### Scenario: ?(.*)$/, ([name = '']) => { this.#scenario(name) }],
    [/^#### (?:Acceptance Criteria|Acceptance)$/i, () => {}],
    [/^####/, () => { this.#isAside = true }],
    [/^#{2,3} (.*)$/, ([name = '']) => { this.#section(name) }],
    [/^[-*] \**((?:FR|QR|CR|IR|DR)-\d{3,6})\**:? \[NEEDS CLARIFICATION: (.*)\]$/, ([, question = '']) => {
      this.taken.lists.questions.push(question)
    }],
    [/^[-*] \**((?:FR|QR|CR|IR|DR)-\d{3,6})\**:? (.*)$/, ([id = '', text = '']) => {
      this.#begin(id, text)
      const item = this.#item
      this.#text(text)
      if (item && 'statement' in item) this.#goOn = (more) => { item.statement += ` ${more}` }
      this.#item = undefined
    }],
    [/^[-*] \**Q-\d+\**:? \[NEEDS CLARIFICATION: (.*)\]$/, ([text = '']) => { this.taken.lists.questions.push(text) }],
    [/^[-*] \**(?:FR|QR|CR|IR|DR|US)-\d+\.AC\d+\** (.*)$/, ([text = '']) => { this.#item?.acceptance.push(stepsOf(text)) }],
    [/^[-*] \**(GIVEN|WHEN|THEN|AND)\**:? (.*)$/i, ([word = '', text = '']) => { this.#step(word.toLowerCase(), text) }],
    [/^\d+\. (.*)$/, ([text = '']) => { this.#numbered(text) }],
    [/^[-*] (.*)$/, ([text = '']) => { this.#bullet(text) }],
    [/^\*\*(?:User Story):?\*\*:? (.*)$/, ([sentence = '']) => { this.#tell(sentence) }],
    [/^(?:\*\*)?Independent Test(?:\*\*)?: (.*)$/i, ([text = '']) => {
      if (this.#item && 'test' in this.#item) this.#item.test = text
    }],
    [/^\*\*Reason\*\*: (.*)$/, ([text = '']) => {
      if (this.#isRemoved && this.#item && 'retired' in this.#item) this.#item.retired = text
    }],
    [/^(?:>|\||\*\*|(?:MUST|SHOULD|MAY) · |Why: )/, () => {}],
    [/^\\?(\S.*)$/, ([text = '']) => { this.#text(text) }]
  ]

  #title (title: string): void {
    this.#item = undefined
    this.#target = 'summary'
    if (this.taken.title === '' && !/^(?:requirements document|spec delta)$/i.test(title)) {
      this.taken.title = title.replace(/ Specification$/, '')
    }
  }

  /** The story of a requirement, in front of its criteria. */
  #tell (sentence: string): void {
    const item = this.#item
    if (!item || !('retired' in item)) return
    item.story = { title: item.title, sentence, priority: 'P2', test: '', acceptance: [] }
    this.taken.stories.push(item.story)
  }

  #begin (id: string | null, title: string): void {
    this.#steps = undefined
    this.#isAside = false
    this.#item = undefined
    if (this.#isRenamed) return
    const item = { id, title, statement: '', acceptance: [], retired: this.#isRemoved ? 'It was removed' : null }
    this.taken.requirements.push(item)
    this.#item = item
  }

  #story (title: string, priority: string): void {
    this.#steps = undefined
    this.#isAside = false
    const story = { title, sentence: '', priority: priority || 'P2', test: '', acceptance: [] }
    this.taken.stories.push(story)
    this.#item = story
  }

  #section (name: string): void {
    this.#item = undefined
    this.#steps = undefined
    this.#isAside = false
    this.#isRemoved = /^REMOVED Requirements$/i.test(name)
    this.#isRenamed = /^RENAMED Requirements$/i.test(name)
    this.#target = sections.find(([pattern]) => pattern.test(name))?.[1]
  }

  /** A name that is an id of ours is given anew. */
  #scenario (name: string): void {
    this.#isAside = false
    const isOwn = name === '' || /^(?:FR|QR|CR|IR|DR|US)-\d+\.AC\d+$/.test(name)
    this.#steps = { given: '', when: '', then: '', ...(!isOwn && { name }) }
    this.#item?.acceptance.push(this.#steps)
  }

  #step (word: string, text: string): void {
    const steps = this.#steps
    if (this.#isAside) return
    if (!steps) return this.#bullet(text)
    const at = isOneOf(['given', 'when', 'then'], word) ? word : this.#last
    steps[at] = steps[at] ? `${steps[at]} and ${text}` : text
    this.#last = at
    this.#goOn = (more) => { steps[at] += ` ${more}` }
  }

  /** In Kiro's layout the first criterion is the requirement's statement. */
  #numbered (text: string): void {
    if (!this.#item) return this.#bullet(text)
    if (this.#isAside) return
    const item = this.#item
    if ('statement' in item && item.statement === '') {
      item.statement = text
      this.#goOn = (more) => { item.statement += ` ${more}` }
      return
    }
    let whole = text
    const { acceptance } = item
    const at = acceptance.push(stepsOf(text)) - 1
    this.#goOn = (more) => { acceptance[at] = stepsOf(whole += ` ${more}`) }
  }

  #bullet (text: string): void {
    if (this.#item || this.#target === undefined) return
    const bare = text.replace(/^\**(?:SC|A|Q)-\d+\**:? (?:\(blocking\) )?/, '')
    if (this.#target === 'summary' || this.#target === 'problem') this.taken[this.#target].push(bare)
    else this.taken.lists[this.#target].push(bare)
  }

  #text (text: string): void {
    const item = this.#item
    if (this.#isAside) return
    if (item && 'sentence' in item) {
      item.sentence = this.#steps ? item.sentence : [item.sentence, text].filter(Boolean).join(' ')
    } else if (item) {
      // The text of a requirement has as many lines as it has, up to its first scenario.
      if (item.acceptance.length === 0) item.statement = [item.statement, text].filter(Boolean).join(' ')
    } else if (this.#target === 'summary' || this.#target === 'problem') this.taken[this.#target].push(text)
  }
}

/** @returns the content of the files of a layout, in linear time */
export const readFiles = (layout: ImportLayout, files: readonly GivenFile[]): Taken => {
  const reader = new Reader()
  for (const { path, text } of files) {
    if (!holders[layout].test(path)) continue
    for (const line of text.split(/\r?\n/)) if (line.length <= 10_000) reader.read(line)
  }
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
