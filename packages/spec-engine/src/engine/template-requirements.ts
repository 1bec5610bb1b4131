import type { Citation, Criterion, Requirement, RequirementKind, Story } from '../schemas/document.js'
import { requirementPrefixes } from '../schemas/document.js'
import { firstPerson, foreignParts } from '../classify/stories.js'
import { maxStatement } from './coverage.js'
import { matchRequirements, matchStories } from './identify.js'
import { kindOf } from './kind.js'
import { citeRange } from './material.js'
import { statedPriority } from './priority.js'
import type { Unit } from './read-source.js'
import { Repeats, wordingOf } from './repeats.js'
import { free, rewrite, type Statement } from './rewrite.js'
import { titleOf } from './titles.js'
import { attachSteps, scenariosOf, type Scenario } from './template-steps.js'
import type { Build } from './template.js'
import { keyOf, shorten } from './words.js'
import { isOneOf } from '../schemas/values.js'

const maxCriteria = 8

interface StoryParts {
  role: string
  want: string
  soThat: string
  priority: Story['priority']
  /** "I want to V": `want` is an action. */
  isAction: boolean
  /** "I don't want to V" */
  isRefused: boolean
}

const reason = /,?(?<!\s)\s+(?:so(?: that)?|because)\s+/i

/** "In order to pay, as a guest, I want a card reader" */
const purposeFirst = /^in order to (?<purpose>[^.]{3,200}?),?\s+(?<story>as an? .*)$/is

const tidy = (text: string): string => text.replace(/^[\s,:;-]+|(?<![\s,:;.])[\s,:;.]+$/g, '')

/** @returns the parts of "As a <role>, I want to <V> so that <reason>", which the caller has recognised */
const parseStory = ({ text, speaker }: Pick<Unit, 'text' | 'speaker'>): StoryParts => {
  const foreign = foreignParts(text)
  if (foreign) return { ...foreign, priority: 'P2', isAction: false, isRefused: false }
  const purpose = purposeFirst.exec(text)
  if (purpose?.groups) {
    const { story = '', purpose: soThat = '' } = purpose.groups
    return { ...parseStory({ text: story, speaker }), soThat }
  }
  const priority = /\b(P[123])\b/.exec(text)?.[1]
  const found = firstPerson.exec(text)
  const start = found?.index ?? text.length
  const stated = tidy(text.slice(0, start).replace(/^as /i, ''))
  const role = stated === '' ? speaker ?? 'a user' : stated
  const rest = text.slice(start + (found?.[0].length ?? 0)).replace(/\(?\bP[123]\b\)?/, '')
  const cut = reason.exec(rest)
  return {
    role,
    want: tidy(cut ? rest.slice(0, cut.index) : rest),
    soThat: cut ? tidy(rest.slice(cut.index + cut[0].length)) : '',
    priority: isOneOf(['P1', 'P2', 'P3'], priority) ? priority : 'P2',
    isAction: found?.[1] !== undefined || /\bcan\b/i.test(found?.[0] ?? ''),
    isRefused: /don['’]t/i.test(found?.[0] ?? '')
  }
}

export interface Draft {
  unit: Unit
  statement: Statement
  kind: RequirementKind
  citations: Citation[]
  criteria: Omit<Criterion, 'id'>[]
  story: StoryDraft | undefined
  /** The source's own ids; a hostile input gives one statement thousands. */
  sourceIds: Set<string>
  repeats: Repeats
}

export interface StoryDraft {
  unit: Unit
  parts: StoryParts
  citations: Citation[]
  criteria: Omit<Criterion, 'id'>[]
}

const citationsOf = ({ source, start, end, stem, parts, backing }: Unit): Citation[] => [
  ...(stem ? citeRange(source, stem.start, stem.end) : []), ...citeRange(source, start, end),
  ...parts.flatMap((part) => citeRange(source, part.start, part.end)),
  ...(backing ? citeRange(backing, 0, backing.text.trimEnd().length) : [])
]

/** Makes a criterion of the statement's own condition and response. */
const ownCriterion = ({ condition, response, subject, pattern }: Statement): Omit<Criterion, 'id'>[] => {
  if (condition === null || response === null || subject === null) return []
  const then = `${subject.replace('THE SYSTEM', 'the system')} shall ${response}`
  const given = pattern === 'state' || pattern === 'optional' ? condition : 'no precondition is stated'
  const when = pattern === 'state' || pattern === 'optional' ? 'the state holds' : condition
  return [{ given: shorten(given, 500), when: shorten(when, 500), then: shorten(then, 500) }]
}

const draftOf = (unit: Unit, statement: Statement, story?: StoryDraft): Draft => ({
  unit,
  statement,
  kind: kindOf(statement, unit.text, unit.role, unit.cell?.type),
  citations: citationsOf(unit),
  criteria: [],
  story,
  sourceIds: new Set(unit.sourceId === undefined ? [] : [unit.sourceId]),
  repeats: new Repeats()
})

/** "See my orders" is stated of another person once the system shall allow it. */
const impersonal = (want: string): string => want.replace(/\bmy\b/g, 'their').replace(/\bmyself\b/g, 'themselves')

const fromStory = (story: StoryDraft): Draft => {
  const { role, isAction, isRefused } = story.parts
  const want = impersonal(story.parts.want.replace(/^be able to /i, ''))
  const text = isAction ? `The system must ${isRefused ? 'not require' : 'allow'} ${role} to ${want}` : story.unit.text
  const { language } = story.unit
  // "…, damit jeder nur sehen kann" is no permission: the words of a story stand in languages without EARS.
  const isEnglish = language === 'en' && foreignParts(text) === undefined
  const statement = isEnglish || isAction ? rewrite(text, { locale: language }) : free(text, 'MUST')
  return draftOf(story.unit, statement, story)
}

interface Collected { drafts: Draft[], stories: StoryDraft[], scenarios: Scenario[] }

const collect = (build: Build): Collected => {
  const stories = new Map<string, StoryDraft>()
  const drafts = new Map<string, Draft>()
  const add = (draft: Draft) => {
    const key = keyOf(draft.statement.statement)
    const same = drafts.get(key)
    const isCited = (same ?? draft).repeats.take(wordingOf(draft.unit))
    if (same) {
      if (isCited) same.citations.push(...draft.citations)
      for (const id of draft.sourceIds) same.sourceIds.add(id)
    } else drafts.set(key, draft)
  }
  for (const unit of build.units) {
    if (unit.text.length > maxStatement) continue
    if (unit.sense === 'normative') add(draftOf(unit, rewrite(unit.text, { locale: unit.language })))
    if (unit.sense !== 'story') continue
    const parts = parseStory(unit)
    const story = { unit, parts, citations: citationsOf(unit), criteria: [] }
    if (!stories.has(keyOf(unit.text))) stories.set(keyOf(unit.text), story)
    add(fromStory(story))
  }
  return { drafts: [...drafts.values()], stories: [...stories.values()], scenarios: scenariosOf(build.units) }
}

const rank = { MUST: 0, SHOULD: 1, MAY: 2 }

/** Selects the drafts with the strongest levels, in the order of the inputs. */
const select = (drafts: Draft[], limit: number): { kept: Draft[], dropped: Draft[] } => {
  const ranked = drafts.map((draft, at) => ({ draft, at }))
    .sort((one, other) => rank[one.draft.statement.level] - rank[other.draft.statement.level] || one.at - other.at)
  const chosen = new Set(ranked.slice(0, limit).map(({ draft }) => draft))
  return { kept: drafts.filter((draft) => chosen.has(draft)), dropped: drafts.filter((draft) => !chosen.has(draft)) }
}

const number = (id: string, criteria: Omit<Criterion, 'id'>[]): Criterion[] =>
  criteria.slice(0, maxCriteria).map((criterion, at) => ({ id: `${id}.AC${at + 1}`, ...criterion }))

const fresh = { origin: 'generated' as const, human_edited: false, locked: false }
const priorityOf = { MUST: 'P1', SHOULD: 'P2', MAY: 'P3' } as const

const nameStories = ({ base, ids }: Build, drafts: StoryDraft[]): Story[] => {
  const stories = drafts.map(({ parts, unit, citations, criteria }): Story => ({
    id: '',
    title: titleOf({ response: parts.want, subject: 'THE SYSTEM', statement: unit.text }),
    role: shorten(parts.role, 120),
    want: shorten(parts.want, 500),
    so_that: shorten(parts.soThat, 500),
    priority: statedPriority(unit) ?? parts.priority,
    independent_test: '',
    acceptance: criteria.map((criterion) => ({ id: '', ...criterion })),
    citations,
    ...fresh
  }))
  const known = matchStories(base?.stories ?? [], stories)
  return stories.map((story, at) => {
    const id = known.get(at)?.id ?? ids.next('US')
    return { ...story, id, acceptance: number(id, drafts[at]?.criteria ?? []) }
  })
}

const toRequirement = (draft: Draft, storyIds: string[], version: number): Requirement => ({
  id: '',
  kind: draft.kind,
  title: titleOf(draft.story && draft.unit.sense === 'story'
    ? { ...draft.statement, subject: null, response: draft.story.parts.want }
    : draft.statement, draft.unit.language),
  statement: draft.statement.statement,
  pattern: draft.statement.pattern,
  level: draft.statement.level,
  priority: statedPriority(draft.unit) ?? priorityOf[draft.statement.level],
  story_ids: storyIds,
  acceptance: [],
  verification: draft.kind === 'constraint' ? 'inspection' : 'test',
  rationale: draft.unit.note ?? draft.unit.cell?.notes ?? '',
  citations: draft.citations,
  ...(draft.repeats.more > 0 && { repeats: draft.repeats.more }),
  ...(draft.sourceIds.size > 0 && { source_ids: [...draft.sourceIds] }),
  standards: [],
  depends_on: [],
  assumption_ids: [],
  ...fresh,
  status: 'active',
  retire_reason: null,
  since_version: version,
  retired_in: null
})

const nameRequirements = ({ base, ids, version }: Build, drafts: Draft[], storyIds: Map<StoryDraft, string>) => {
  const made = drafts.map((draft) =>
    toRequirement(draft, [draft.story && storyIds.get(draft.story)].flatMap((id) => id ?? []), version))
  const known = matchRequirements((base?.requirements ?? []).filter(({ status }) => status === 'active'), made)
  return made.map((requirement, at): Requirement => {
    const old = known.get(at)
    const id = old?.id ?? ids.next(requirementPrefixes[requirement.kind], 3)
    const draft = drafts[at]
    const criteria = draft ? [...draft.criteria, ...ownCriterion(draft.statement)] : []
    const unique = criteria.filter(({ then }, index) => criteria.findIndex((one) => one.then === then) === index)
    return { ...requirement, id, acceptance: number(id, unique), since_version: old?.since_version ?? version }
  })
}

/** Links what a story is accepted by to it, and other requirements to the only story of their section. */
const linkToStories = ({ drafts, stories }: Collected): void => {
  const bySection = new Map<string, StoryDraft[]>()
  const section = ({ source, headings }: Unit) => `${source.input_id}/${headings.join('/')}`
  const startIn = ({ source }: Unit, start: number) => `${source.input_id}/${start}`
  const byStart = new Map(stories.map((story) => [startIn(story.unit, story.unit.start), story]))
  for (const story of stories) {
    const held = bySection.get(section(story.unit)) ?? []
    held.push(story)
    bySection.set(section(story.unit), held)
  }
  for (const draft of drafts) {
    const near = bySection.get(section(draft.unit)) ?? []
    const { unit } = draft
    const accepting = unit.storyAt === undefined ? undefined : byStart.get(startIn(unit, unit.storyAt))
    draft.story ??= accepting ?? (near.length === 1 ? near[0] : undefined)
  }
}

/** @returns stories and requirements with ids, the sentences beyond max_requirements, and unmatched scenarios */
export const collectRequirements = (build: Build) => {
  const collected = collect(build)
  linkToStories(collected)
  const loose = attachSteps(collected.scenarios, collected.drafts, collected.stories)
  const { kept, dropped } = select(collected.drafts, build.session.settings.max_requirements)
  const stories = nameStories(build, collected.stories)
  const storyIds = new Map(collected.stories.map((story, at) => [story, stories[at]?.id ?? '']))
  const requirements = nameRequirements(build, kept, storyIds)
  // Retired requirements stay, so that their ids are not used again.
  const retired = (build.base?.requirements ?? []).filter(({ status }) => status === 'retired')
  return { stories, requirements: [...requirements, ...retired], dropped: dropped.map(({ unit }) => unit), loose }
}
