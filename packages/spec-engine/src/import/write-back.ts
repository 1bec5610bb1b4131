import { isDeepStrictEqual } from 'node:util'
import { type Criterion, maxNotes, type Requirement, type SpecDocument, type Story } from '../schemas/document.js'
import type { ImportLayout } from '../schemas/inputs.js'
import type { Source } from '../engine/material.js'
import { requirement as kiroRequirement, written } from '../export/kiro.js'
import { scenario, textOf } from '../export/openspec/requirement.js'
import { scenarioOf, storyOf } from '../export/spec-kit.js'
import { inline, storyText } from '../export/text.js'
import type { ExportFile } from '../export/files.js'
import { type Given, givenOf, offsetInWhole } from './given.js'
import { criterionOf, maxProse, namedOf, noteOf, partsOf, statementOf, titleOf } from './import-spec.js'
import { openIn, type NoteList, type Span, type Taken, type TakenCriterion, type TakenNote, type TakenRequirement } from './read-files.js'
import { shorten } from '../engine/words.js'

/** The layouts of other tools, whose files are written back. */
export type GivenLayout = Exclude<ImportLayout, 'markdown'>

/** Where a requirement came from: its file, whether its heading has its id, and its text there as it is now. */
export interface Home { path: string, hasId: boolean, text: string }

export interface WrittenBack { files: ExportFile[], homes: [string, Home][] }

interface Change extends Span { text: string }

/** How a layout writes what is new or was changed. */
interface Writer {
  statement: (text: string) => string
  criterion: (one: Omit<Criterion, 'id'>) => string
  /** What stands between two criteria, and in front of one without its number. */
  next: (number: number) => string
  requirement: (item: Requirement, number: number) => string
  /** What divides two requirements. */
  gap: string
}

const inBullet = (text: string): string => inline(text.replace(/\n/g, '\0')).replaceAll('\0', '\n  ')

const writers: Record<GivenLayout, (document: SpecDocument) => Writer> = {
  'spec-kit': () => ({
    statement: inBullet,
    criterion: scenarioOf,
    next: (number) => `\n${number}. `,
    requirement: ({ id, statement }) => `- **${id}**: ${inBullet(statement)}`,
    gap: '\n'
  }),
  kiro: (document) => ({
    statement: (text) => inline(text),
    criterion: (one) => inline(written({ id: '', ...one })),
    next: (number) => `\n${number}. `,
    requirement: (item, number) => kiroRequirement(document)(item, number),
    gap: '\n\n'
  }),
  openspec: () => ({
    statement: (text) => text,
    criterion: (one) => scenario({ id: '', ...one }),
    next: () => '\n\n',
    requirement: (item) => `### Requirement: ${inline(item.title)}\n\n${textOf(item)}`,
    gap: '\n\n'
  })
}

/** Replaces ranges of a text; a range inside of one that was replaced before it is left alone. */
const apply = (text: string, changes: readonly Change[], from = 0, to = text.length): string => {
  let made = ''
  let at = from
  for (const { start, end, text: words } of changes.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    if (start < at || end > to) continue
    made += text.slice(at, start) + words
    at = end
  }
  return made + text.slice(at, to)
}

/** A line goes with its line break. */
const wholeLine = (text: string, { start, end }: Span): Change => {
  const next = text.indexOf('\n', end)
  return { start, end: next === -1 ? text.length : next + 1, text: '' }
}

type Content = Omit<Criterion, 'id'>
const contentOf = ({ id: _, ...rest }: Criterion): Content => rest

/** Pairs criteria: those that are the same, then those with the same name, then the others by their order. */
const pair = (taken: readonly TakenCriterion[], now: readonly Content[]): Map<TakenCriterion, Content> => {
  const pairs = new Map<TakenCriterion, Content>()
  const left = new Set(now)
  const match = (fits: (one: TakenCriterion, other: Content) => boolean) => {
    for (const one of taken) {
      if (pairs.has(one)) continue
      for (const other of left) {
        if (!fits(one, other)) continue
        pairs.set(one, other)
        left.delete(other)
        break
      }
    }
  }
  match((one, other) => isDeepStrictEqual(criterionOf(one), other))
  match((one, other) => one.name !== undefined && criterionOf(one).name === other.name)
  match((one, other) => one.name === undefined || other.name === undefined)
  return pairs
}

/** What was changed of the files of one input. */
class Patch {
  readonly changes: Change[][]
  readonly #taken: Taken
  readonly #matched = new Map<TakenRequirement, Requirement>()
  constructor (private readonly given: Given, private readonly document: SpecDocument, private readonly writer: Writer) {
    this.changes = given.files.map(() => [])
    this.#taken = given.taken
    this.#match()
  }

  #put (file: number, change: Change): void { this.changes[file]?.push(change) }

  #text (file: number): string { return this.given.files[file]?.text ?? '' }

  /** By where it is cited from; a person may have cited it anew, and then by its name. */
  #match (): void {
    const { source: { input_id: input }, offsets } = this.given
    const { requirements } = this.document
    const byStart = new Map(requirements.flatMap((one) => one.citations.slice(0, 1)
      .filter((cited) => cited.input_id === input).map((cited) => [cited.char_start, one] as const)))
    const byId = new Map(requirements.flatMap((one) => (one.source_ids ?? []).map((id) => [id, one] as const)))
    const byTitle = new Map(requirements.map((one) => [one.title, one]))
    const used = new Set<Requirement>()
    for (const item of this.#taken.requirements) {
      const offset = offsets[item.file]
      const start = item.texts[0]?.start ?? item.titleAt?.start
      const found = [
        offset === undefined || start === undefined ? undefined : byStart.get(offset + start),
        item.id === null ? undefined : byId.get(item.id),
        byTitle.get(titleOf(item))
      ].find((one) => one !== undefined && !used.has(one))
      if (!found) continue
      used.add(found)
      this.#matched.set(item, found)
    }
  }

  get used (): Requirement[] { return [...this.#matched.values()] }

  requirements (): void {
    for (const item of this.#taken.requirements) {
      const now = this.#matched.get(item)
      if (now?.status !== 'active') {
        if (item.retired === null) this.#put(item.file, wholeLine(this.#text(item.file), item.whole))
        continue
      }
      if (item.titleAt && now.title !== titleOf(item)) this.#put(item.file, { ...item.titleAt, text: inline(now.title) })
      const leads = item.acceptance.some(({ content }) => content === item.texts[0])
      const isReworded = now.statement !== statementOf(item)
      if (isReworded) this.#restate(item, now.statement)
      // In Kiro's layout the statement is the first criterion: its new words stand for both.
      const [first, ...others] = item.acceptance
      const [own] = now.acceptance
      const same = leads && isReworded && first && own && isDeepStrictEqual(contentOf(own), criterionOf(first))
      this.#criteria(item, same ? others : item.acceptance, now.acceptance.slice(same ? 1 : 0))
    }
  }

  #restate ({ file, texts, whole, titleAt }: TakenRequirement, statement: string): void {
    const [first, ...others] = texts
    const text = this.writer.statement(statement)
    const below = titleAt?.end ?? whole.end
    this.#put(file, first ? { ...first, text } : { start: below, end: below, text: `\n\n${text}` })
    for (const span of others) this.#put(file, wholeLine(this.#text(file), span))
  }

  #criteria ({ file, whole }: { file: number, whole: Span }, taken: readonly TakenCriterion[], now: readonly Criterion[]): void {
    const contents = now.map(contentOf)
    const pairs = pair(taken, contents)
    const paired = new Set(pairs.values())
    for (const one of taken) {
      const own = pairs.get(one)
      if (!own) this.#put(file, wholeLine(this.#text(file), one.whole))
      else if (!isDeepStrictEqual(criterionOf(one), own)) this.#put(file, { ...one.content, text: this.writer.criterion(own) })
    }
    const end = taken.at(-1)?.whole.end ?? whole.end
    const added = contents.filter((one) => !paired.has(one))
      .map((one, at) => `${this.writer.next(taken.length + at + 1)}${this.writer.criterion(one)}`)
    if (added.length > 0) this.#put(file, { start: end, end, text: `${taken.length === 0 ? '\n' : ''}${added.join('')}` })
  }

  stories (): Story[] {
    const byTitle = new Map(this.document.stories.map((one) => [one.title, one]))
    const { source: { input_id: input }, offsets } = this.given
    const byStart = new Map(this.document.stories.flatMap((one) => one.citations.slice(0, 1)
      .filter((cited) => cited.input_id === input).map((cited) => [cited.char_start, one] as const)))
    return this.#taken.stories.flatMap((told) => {
      const at = told.texts[0]?.start
      const offset = offsets[told.file]
      const now = (at === undefined || offset === undefined ? undefined : byStart.get(offset + at)) ?? byTitle.get(titleOf(told))
      if (!now) {
        this.#put(told.file, wholeLine(this.#text(told.file), told.whole))
        return []
      }
      if (told.titleAt && now.title !== titleOf(told)) this.#put(told.file, { ...told.titleAt, text: inline(now.title) })
      const [first, ...others] = told.texts
      if (first && storyText(now) !== partsOf(told.sentence).sentence) {
        this.#put(told.file, { ...first, text: inline(storyText(now)) })
        for (const span of others) this.#put(told.file, wholeLine(this.#text(told.file), span))
      }
      this.#criteria(told, told.acceptance, now.acceptance)
      return [now]
    })
  }

  /** Puts what no file has behind the last of its kind. */
  add (requirements: readonly Requirement[], stories: readonly Story[]): void {
    const isKept = (item: TakenRequirement) => this.#matched.get(item)?.status === 'active'
    const last = this.#taken.requirements.findLast(isKept) ?? this.#taken.requirements.at(-1)
    const { gap } = this.writer
    const count = this.#taken.requirements.length
    if (last && requirements.length > 0) {
      const text = requirements.map((one, at) => `${gap}${this.writer.requirement(one, count + at)}`).join('')
      this.#put(last.file, { start: last.whole.end, end: last.whole.end, text })
    }
    const told = this.#taken.stories.at(-1)
    if (!told || stories.length === 0) return
    const text = stories.map((one, at) => `\n\n${storyOf(one, this.#taken.stories.length + at)}`).join('')
    this.#put(told.file, { start: told.whole.end, end: told.whole.end, text })
  }

  note (note: TakenNote, text: string | undefined): void {
    const { file, whole, content } = note
    this.#put(file, text === undefined ? wholeLine(this.#text(file), whole) : { ...content, text })
  }

  after ({ file, whole: { end } }: TakenNote, text: string): void { this.#put(file, { start: end, end, text }) }

  /** A section that the file does not have yet. */
  append (text: string): void {
    const file = this.#taken.requirements[0]?.file ?? 0
    const end = this.#text(file).trimEnd().length
    this.#put(file, { start: end, end, text })
  }

  files (): ExportFile[] {
    return this.given.files.map((file, at) => {
      const changes = (this.changes[at] ?? []).map(({ start, end, text }) =>
        ({ start: offsetInWhole(file, start, false), end: offsetInWhole(file, end, true), text }))
      return { path: file.path, content: apply(file.whole?.text ?? file.text, changes) }
    })
  }

  homes (): [string, Home][] {
    return [...this.#matched].map(([item, { id }]) => {
      const text = this.#text(item.file)
      const head = text.indexOf('\n', item.whole.start)
      const from = head === -1 || head > item.whole.end ? item.whole.end : head
      return [id, {
        path: this.given.files[item.file]?.path ?? '',
        hasId: item.id !== null,
        text: apply(text, this.changes[item.file] ?? [], from, item.whole.end).trim()
      }]
    })
  }
}

const named = (name: string, description: string): string => `**${name}**: ${description}`

/** What a section of the document says now, in the form in which files have it. */
const textsOf = (document: SpecDocument): Partial<Record<NoteList, string[]>> => ({
  goals: document.goals,
  non_goals: document.non_goals,
  edge_cases: document.edge_cases,
  risks: document.risks,
  assumptions: document.assumptions.map(({ text }) => text),
  metrics: document.success_criteria.map(({ metric }) => metric),
  glossary: document.glossary.map(({ term, definition }) => named(term, definition)),
  entities: document.entities.map(({ name, description }) => named(name, description)),
  questions: document.open_questions.filter(({ status }) => status === 'open').map(({ question }) => question)
})

const titles: Record<NoteList, string> = {
  summary: 'Purpose',
  problem: 'Why',
  goals: 'Goals',
  non_goals: 'Non-Goals',
  edge_cases: 'Edge Cases',
  assumptions: 'Assumptions',
  risks: 'Risks',
  questions: 'Open Questions',
  metrics: 'Success Criteria',
  glossary: 'Glossary',
  entities: 'Key Entities'
}

const valueOf = (note: TakenNote): string => {
  if (note.list !== 'glossary' && note.list !== 'entities') return noteOf(note)
  const { name, description } = namedOf(noteOf(note))
  return named(name, description)
}

interface Placed { note: TakenNote, patch: Patch }

const patchList = (list: NoteList, texts: readonly string[], placed: readonly Placed[], first: Patch): void => {
  // What exceeds the limit of a section stays in its file.
  const known = new Set([...new Set(placed.map(({ note }) => valueOf(note)))].slice(0, maxNotes))
  const now = new Set(texts)
  const fresh = [...now].filter((text) => !known.has(text)).map(inBullet)
  const gone = placed.filter(({ note }) => known.has(valueOf(note)) && !now.has(valueOf(note)))
  for (const { note, patch } of gone) patch.note(note, fresh.shift())
  const last = placed.findLast((one) => !gone.includes(one)) ?? placed.at(-1)
  if (fresh.length === 0) return
  if (last) last.patch.after(last.note, fresh.map((text) => `\n- ${text}`).join(''))
  else first.append(`\n\n## ${titles[list]}\n\n${fresh.map((text) => `- ${text}`).join('\n')}`)
}

/** A text of several lines is written anew as a whole, at the place of the first. */
const patchProse = (list: 'summary' | 'problem', document: SpecDocument, placed: readonly Placed[]): void => {
  const before = shorten([...new Set(placed.map(({ note }) => noteOf(note)))].join('\n'), maxProse)
  if (placed.length === 0 || before === document[list]) return
  placed.forEach(({ note, patch }, at) => { patch.note(note, at === 0 ? document[list] : undefined) })
}

const patchNotes = (document: SpecDocument, given: readonly Given[], patches: readonly Patch[]): void => {
  const all = given.flatMap(({ taken }, at) => taken.notes.flatMap((note): Placed[] => {
    const patch = patches[at]
    return patch ? [{ note, patch }] : []
  }))
  const [first] = patches
  if (!first) return
  const of = (list: NoteList) => all.filter(({ note }) => note.list === list)
  patchProse('summary', document, of('summary'))
  patchProse('problem', document, of('problem'))
  // A question that a statement marks stands in the statement.
  const marked = new Set(document.requirements.flatMap(({ statement }) => openIn(statement)))
  const texts = textsOf(document)
  for (const [list, said] of Object.entries(texts) as [NoteList, string[]][]) {
    patchList(list, list === 'questions' ? said.filter((text) => !marked.has(text)) : said, of(list), first)
  }
}

/**
 * Writes the files of an import back: what nobody has touched is the same text, and only what was edited is written
 * anew, at its place.
 * @returns undefined for a document that was made otherwise, or of files of another layout
 */
export const writeBack = (document: SpecDocument, inputs: readonly Source[], layout: GivenLayout): WrittenBack | undefined => {
  if (document.engine.name !== 'import') return undefined
  const given = givenOf(inputs).filter((one) => one.source.given?.layout === layout)
  const writer = writers[layout](document)
  const patches = given.map((one) => new Patch(one, document, writer))
  const [first] = patches
  if (!first) return undefined
  const told = new Set(patches.flatMap((patch) => patch.stories()))
  for (const patch of patches) patch.requirements()
  const known = new Set(patches.flatMap(({ used }) => used))
  first.add(document.requirements.filter((one) => one.status === 'active' && !known.has(one)),
    document.stories.filter((one) => !told.has(one)))
  patchNotes(document, given, patches)
  return { files: patches.flatMap((patch) => patch.files()), homes: patches.flatMap((patch) => patch.homes()) }
}
