import { isDeepStrictEqual } from 'node:util'
import type { ErrorObject } from 'ajv'
import { compileJson } from '../../../../lib/openapi/json-schemas.js'
import { Dismissed, ExtraSection, type Question, Requirement, requirementPrefixes, SpecDocument, Story } from
  'steward-spec-engine/schemas'
import { type EditOp, sentenceOps } from '../../../../schemas/pse/inputs.js'
import type { TSchema } from '@sinclair/typebox'
import { EditInvalid, ItemLocked, TargetUnknown } from '../errors.js'
import { askedOf, type FoundSentence, Ids, parseEars, sentenceKey } from 'steward-spec-engine/engine'
import { isObject, isOneOf } from '../../../../schemas/unknown.js'

/** Fields of an item that only the server sets. */
const serverFields = ['id', 'origin', 'human_edited', 'locked', 'status', 'retire_reason', 'since_version',
  'retired_in', 'citations', 'support', 'repeats']

const sections = ['title', 'summary', 'problem', 'goals', 'non_goals', 'actors', 'glossary', 'entities', 'interfaces',
  'edge_cases', 'success_criteria', 'risks', 'assumptions', 'open_questions', 'decisions', 'design', 'tasks'] as const
type Section = typeof sections[number]

const validators = new Map<TSchema, ReturnType<typeof compileJson>>()

const validatorOf = (schema: TSchema) => {
  const known = validators.get(schema) ?? compileJson(schema)
  validators.set(schema, known)
  return known
}

const pointerOf = ({ params, instancePath }: ErrorObject): string => {
  const name: unknown = params.additionalProperty ?? params.missingProperty
  return `${instancePath}${typeof name === 'string' ? `/${name}` : ''}`
}

class Edit {
  constructor (private readonly pointer: string, readonly version: number,
    private readonly proposal: SpecDocument | undefined, readonly sentences: ReadonlyMap<string, FoundSentence>) {}

  /** Whether the value is what the last generation made of the item: its citations are proven. */
  isProposed (id: string, value: unknown): boolean {
    const { requirements, stories } = this.proposal ?? { requirements: [], stories: [] }
    return [...requirements, ...stories].some((one) => one.id === id && isDeepStrictEqual(one, value))
  }

  fail (field: string, message: string, error = EditInvalid): never {
    const pointer = `${this.pointer}${field}`
    throw error(`${pointer} ${message}`, { errors: [{ pointer, code: error.code, message }] })
  }

  /** @returns the value, checked against the schema @throws edit_invalid with the pointer */
  parse<T> (schema: TSchema, value: unknown, field = '/value'): T {
    const validate = validatorOf(schema)
    const wrong = validate(value) ? undefined : validate.errors?.[0]
    if (wrong) this.fail(`${field}${pointerOf(wrong)}`, wrong.message ?? 'is wrong')
    // The caller names the schema that T comes from.
    return value as T
  }

  fields (value: unknown): Record<string, unknown> {
    if (!isObject(value)) return this.fail('/value', 'must be an object')
    const kept = serverFields.find((name) => name in value)
    if (kept !== undefined) this.fail(`/value/${kept}`, 'is given by the server')
    return value
  }
}

type Item = Requirement | Story

/** Derives the EARS pattern of a new statement. */
const patterned = (fields: Record<string, unknown>): Record<string, unknown> => typeof fields.statement === 'string'
  ? { pattern: parseEars(fields.statement)?.pattern ?? 'free', ...fields }
  : fields

/** @returns the name of the section, which is a field of every document or one that a template brought to this one */
const sectionOf = (document: SpecDocument, target: string): string | undefined =>
  [...sections, ...document.sections.map(({ key }) => key)].find((name) => target === `sections.${name}`)

/** Names criteria after their item. They are not validated yet: the caller checks the item against its schema. */
const numbered = (item: Record<string, unknown>): Record<string, unknown> => {
  const { id, acceptance } = item
  if (!Array.isArray(acceptance)) return item
  const criteria: unknown[] = acceptance
  return { ...item, acceptance: criteria.map((one, at) => ({ ...Object(one), id: `${String(id)}.AC${at + 1}` })) }
}

/** Other parts than its source has make another sentence. */
const reworded = (item: Item, fields: Record<string, unknown>): Partial<Item> => {
  const parts = ['role', 'want', 'so_that'] as const
  if (!('want' in item) || parts.every((name) => !(name in fields) || fields[name] === item[name])) return item
  const { sentence: _, ...rest } = item
  return rest
}

const changeItem = <T extends Item>(edit: Edit, item: T, { op, value }: EditOp, schema: TSchema): T => {
  if (op === 'lock' || op === 'unlock') return { ...item, locked: op === 'lock' }
  if (item.locked) edit.fail('/target', 'is locked; unlock it first', ItemLocked)
  if (op === 'retire') {
    if (!('status' in item)) return edit.fail('/op', 'is for requirements')
    const reason = value === undefined || value === null ? 'A person retired it' : String(value).slice(0, 1000)
    return { ...item, status: 'retired', retire_reason: reason, retired_in: edit.version, human_edited: true }
  }
  if (edit.isProposed(item.id, value)) {
    const since = 'since_version' in item ? { since_version: item.since_version } : {}
    return edit.parse<T>(schema, { ...Object(value), ...since, locked: false })
  }
  const fields = edit.fields(value)
  const next = numbered({ ...reworded(item, fields), ...patterned(fields), human_edited: true })
  return edit.parse<T>(schema, next)
}

const blankRequirement = {
  title: '',
  kind: 'functional',
  pattern: 'free',
  level: 'MUST',
  priority: 'P1',
  story_ids: [],
  acceptance: [],
  verification: 'test',
  rationale: '',
  citations: [],
  standards: [],
  depends_on: [],
  assumption_ids: [],
  status: 'active',
  retire_reason: null,
  retired_in: null
}
const blankStory = { so_that: '', priority: 'P2', independent_test: '', acceptance: [], citations: [] }
const human = { origin: 'human', human_edited: true, locked: false }

const addItem = (edit: Edit, document: SpecDocument, { target, value }: EditOp): SpecDocument => {
  const fields = edit.fields(value)
  const ids = new Ids(document)
  if (target === 'stories') {
    const made = edit.parse<Story>(Story, numbered({ ...blankStory, ...fields, ...human, id: ids.next('US') }))
    return { ...document, stories: [...document.stories, made], counters: ids.counters }
  }
  const kind = edit.parse<Requirement['kind']>(Requirement.properties.kind, fields.kind ?? 'functional', '/value/kind')
  const id = ids.next(requirementPrefixes[kind], 3)
  const title = String(fields.title ?? fields.statement ?? '').slice(0, 120).toWellFormed()
  const whole = { ...blankRequirement, ...patterned(fields), title, ...human, id, since_version: edit.version }
  const made = edit.parse<Requirement>(Requirement, numbered(whole))
  return { ...document, requirements: [...document.requirements, made], counters: ids.counters }
}

/** Sections whose entries carry an id, with its prefix and digits. */
const idsOfSections = {
  success_criteria: ['SC', 3, '-'],
  assumptions: ['A', 1, '-'],
  open_questions: ['Q', 1, '-'],
  decisions: ['D', 1, '-'],
  tasks: ['T', 3, '']
} as const

const isIdentified = (key: string): key is keyof typeof idsOfSections => Object.hasOwn(idsOfSections, key)

/** @returns the section with an id for each entry that has none, and what the ids were counted to */
const identified = (document: SpecDocument, key: Section, value: unknown): [unknown, SpecDocument['counters']] => {
  if (!isIdentified(key) || !Array.isArray(value)) return [value, document.counters]
  const ids = new Ids(document)
  const [prefix, digits, separator] = idsOfSections[key]
  const entries: unknown[] = value
  const named = entries.map((one) =>
    isObject(one) && !('id' in one) ? { id: ids.next(prefix, digits, separator), ...one } : one)
  return [named, ids.counters]
}

/** @returns the question with how it was asked before a person worded it otherwise: so it is found again */
const withAsked = (before: Question | undefined, { asked: _, ...question }: Question): Question => {
  if (!before) return question
  const first = askedOf(before)
  const isSame = first.question === question.question && first.about === question.about
  return isSame ? question : { ...question, asked: { question: first.question, about: first.about } }
}

const rewordQuestions = (before: readonly Question[], now: readonly Question[]): Question[] =>
  now.map((one) => withAsked(before.find(({ id }) => id === one.id), one))

const writeSection = (edit: Edit, document: SpecDocument, key: Section, { op, value }: EditOp): SpecDocument => {
  const before: unknown = document[key]
  const next = op === 'add' && Array.isArray(before) ? [...before, value] : value
  const [whole, counters] = identified(document, key, next)
  const made = edit.parse<SpecDocument[Section]>(SpecDocument.properties[key], whole)
  const written = { ...document, [key]: made, counters }
  return { ...written, open_questions: rewordQuestions(document.open_questions, written.open_questions) }
}

type Entry = SpecDocument[keyof typeof idsOfSections][number]

/** @returns the section's entries as a list to be written, with one of them changed */
const withEntry = (edit: Edit, entries: readonly Entry[], { target, value }: EditOp): unknown[] => {
  if (!isObject(value)) return edit.fail('/value', 'must be an object')
  return entries.map((one) => one.id === target ? { ...one, ...value, id: target } : one)
}

/** Writes the text of a section that a template brought; its title is the template's. */
const writeExtra = (edit: Edit, document: SpecDocument, name: string, { value }: EditOp): SpecDocument => {
  const text = edit.parse<string>(ExtraSection.properties.text, value)
  return { ...document, sections: document.sections.map((one) => one.key === name ? { ...one, text } : one) }
}

const changeSection = (edit: Edit, document: SpecDocument, name: string, op: EditOp): SpecDocument => {
  const others = document.locked_sections.filter((locked) => locked !== name)
  if (op.op === 'lock') return { ...document, locked_sections: [...others, name] }
  if (op.op === 'unlock') return { ...document, locked_sections: others }
  if (document.locked_sections.includes(name)) edit.fail('/target', 'is locked; unlock it first', ItemLocked)
  if (op.op === 'retire') edit.fail('/op', 'is for requirements')
  const key = sections.find((one) => one === name)
  return key ? writeSection(edit, document, key, op) : writeExtra(edit, document, name, op)
}

const isSentenceOp = ({ op }: EditOp): boolean => isOneOf(sentenceOps, op)

/** @returns the sentences that edits decide, by how these name them */
export const decidedSentences = (ops: readonly EditOp[]): string[] => ops.filter(isSentenceOp).map(({ target }) => target)

/** Takes a sentence, word for word or as the person words it, sets it aside, or makes it a part of a requirement. */
const decideSentence = (edit: Edit, before: SpecDocument, { op, target, value }: EditOp): SpecDocument => {
  const found = edit.sentences.get(target)
  if (!found) return edit.fail('/target', 'is no sentence of the inputs', TargetUnknown)
  const { requirement, ...range } = found
  const others = (before.dismissed ?? []).filter((one) => sentenceKey(one) !== target)
  const document = { ...before, dismissed: others }
  if (op === 'reopen') return document
  if (op === 'dismiss') {
    const why = edit.parse<string>(Dismissed.properties.why, value ?? 'A person has set it aside')
    return { ...document, dismissed: [...others, { ...range, why }] }
  }
  if (document.locked_sections.includes('requirements')) edit.fail('/target', 'is for requirements, which are locked', ItemLocked)
  if (op === 'take') {
    // Somebody else took it meanwhile: once is enough.
    const isTaken = document.requirements.some(({ status, citations }) =>
      status === 'active' && citations.some((one) => sentenceKey(one) === target))
    if (isTaken) return document
    const fields = value === undefined ? {} : edit.fields(value)
    const ids = new Ids(document)
    const kind = edit.parse<Requirement['kind']>(Requirement.properties.kind, fields.kind ?? requirement.kind, '/value/kind')
    const id = ids.next(requirementPrefixes[kind], 3)
    const written = { ...requirement, ...patterned(fields), id, origin: 'human', human_edited: 'statement' in fields }
    const made = edit.parse<Requirement>(Requirement, numbered(written))
    return { ...document, requirements: [...document.requirements, made], counters: ids.counters }
  }
  const home = document.requirements.find(({ id, status }) => id === value && status === 'active')
  if (!home) return edit.fail('/value', 'is no active requirement of this spec', TargetUnknown)
  if (home.locked) edit.fail('/value', 'is locked; unlock it first', ItemLocked)
  const sourceIds = [...new Set([...home.source_ids ?? [], ...requirement.source_ids ?? []])]
  const joined = {
    ...home, citations: [...home.citations, ...requirement.citations], ...(sourceIds.length > 0 && { source_ids: sourceIds })
  }
  return { ...document, requirements: document.requirements.map((one) => one === home ? joined : one) }
}

const applyOp = (edit: Edit, document: SpecDocument, op: EditOp): SpecDocument => {
  if (isSentenceOp(op)) return decideSentence(edit, document, op)
  if (op.op === 'add' && (op.target === 'requirements' || op.target === 'stories')) return addItem(edit, document, op)
  const section = sectionOf(document, op.target)
  if (section !== undefined) return changeSection(edit, document, section, op)
  const isTarget = ({ id }: { id: string }) => id === op.target
  if (op.op !== 'add' && document.requirements.some(isTarget)) {
    const change = (item: Requirement) => isTarget(item) ? changeItem(edit, item, op, Requirement) : item
    return { ...document, requirements: document.requirements.map(change) }
  }
  if (op.op !== 'add' && document.stories.some(isTarget)) {
    const change = (item: Story) => isTarget(item) ? changeItem(edit, item, op, Story) : item
    return { ...document, stories: document.stories.map(change) }
  }
  const holder = Object.keys(idsOfSections).filter(isIdentified).find((key) => document[key].some(isTarget))
  if (op.op !== 'replace' || !holder) return edit.fail('/target', 'is nothing of this spec', TargetUnknown)
  return changeSection(edit, document, holder, { ...op, value: withEntry(edit, document[holder], op) })
}

/**
 * @param pointer of the edit in the body
 * @param version number of the version that the edit makes
 * @param sentences that the edits decide, by how these name them
 * @param proposal what the last generation made: an edit that takes a suggestion over has it word for word
 * @throws target_unknown, edit_invalid, item_locked, each with its pointer; the document stays unchanged
 */
export const applyEdit = (document: SpecDocument, ops: readonly EditOp[], pointer: string, version: number,
  sentences: ReadonlyMap<string, FoundSentence> = new Map(), proposal?: SpecDocument): SpecDocument =>
  ops.reduce((now, op, at) => applyOp(new Edit(`${pointer}/ops/${at}`, version, proposal, sentences), now, op), document)
