import { createHash } from 'node:crypto'
import {
  defineWriteTool, type Arguments, type Change, type Plan, type Read, type Target
} from '../../../../lib/tools/options.js'
import { BriefBody } from 'steward-prose-engine/schemas'
import { type Brief } from '../../../../schemas/content/briefs.js'
import type { Content } from '../../../../schemas/content/contents.js'
import { GenerateContent, GeneratedContents } from '../../../../schemas/content/generations.js'
import type { Sent } from '../../../../schemas/common.js'
import { keysOf } from '../../../../schemas/unknown.js'
import { etag } from '../../../../schemas/revisions.js'
import { versionChanges } from '../texts/content-tools.js'
import { textChanges } from '../texts/text-changes.js'
import {
  briefTarget, contentTarget, nameProject, projectRow, readBriefRecord, readRecord, summarize
} from '../tool-targets.js'
import { describeSlot, modelChanges } from './model-changes.js'
import { sourceVersion } from './slots.js'

type Input = Sent<typeof GenerateContent>

/** The sources of a generation, and the answer of the route's dry run. */
interface Prepared {
  input: Input
  content: Content | null
  brief: Brief | null
  /** The name of the project of a brief in the request. */
  project: string | null
  answer: GeneratedContents
}

const isRevision = ({ mode }: Input) => mode === 'rewrite' || mode === 'sections' || mode === 'repair'
const isNew = ({ mode = 'create' }: Input) => mode === 'create' || mode === 'adapt' || mode === 'translate'

/** Pins the version: a revision follows the newest one; adapt and translate pin their source. */
const pinVersion = (input: Input, content: Content | null): Input => {
  if (content === null) return input
  if (isRevision(input)) return { ...input, base_version: content.head_version }
  return isNew(input) ? { ...input, base_version: sourceVersion(input.base_version, content) } : input
}

const prepare = async (requested: Input, read: Read): Promise<Prepared> => {
  const { content_id: id, mode = 'create' } = requested
  const content = id === undefined || mode === 'create' ? null : await readRecord(id, read)
  const input = pinVersion(requested, content)
  const briefId = content ? content.brief_id : input.brief_id ?? null
  const brief = briefId === null ? null : await readBriefRecord(briefId, read)
  const answer = await read('/content/generate', GeneratedContents, input)
  const { project_id: projectId } = input
  const project = input.brief === undefined || projectId === undefined ? null : await nameProject(projectId, read)
  return { input, content, brief, project, answer }
}

const slotsOf = ({ generation, contents }: GeneratedContents) => generation?.outputs ?? contents

const channelsOf = ({ input, brief }: Pick<Prepared, 'input' | 'brief'>) => (input.mode ?? 'create') === 'create'
  ? input.channels ?? input.brief?.channels ?? brief?.channels
  : input.channels

const pinSlots = ({ input, brief, answer }: Prepared): Arguments => {
  if ((input.mode ?? 'create') !== 'create') return input
  const { locale: _, ...rest } = input
  return {
    ...rest,
    channels: channelsOf({ input, brief }),
    locales: [...new Set(slotsOf(answer).map(({ locale }) => locale))]
  }
}

/**
 * The instance's own model and limits are shown, but not pinned: they change with a restart only, after which the plan
 * is made again, and a retry of the generation uses the model that is configured then.
 */
const pin = (prepared: Prepared): Arguments => ({ ...pinSlots(prepared), engine: prepared.answer.engine })

const briefFields = keysOf(BriefBody.properties)

/** @returns a hash of a brief's text: its state may change during the decision */
const hashOf = (brief: Brief): string =>
  createHash('sha256').update(JSON.stringify(briefFields.map((field) => brief[field] ?? null))).digest('base64url')

/** The revision does not bind: the plan rests on the brief's text. */
const briefRow = (brief: Brief | null): Change[] => brief === null
  ? []
  : [{ label: 'Brief used', before: null, after: `"${brief.title}", revision ${brief.revision}`, binding: false, context: true }]

const newChanges = ({ input, brief, project, answer }: Prepared): Change[] => [
  ...(project === null ? [] : [projectRow(project)]),
  { label: 'Brief', field: 'brief', before: null, after: input.brief },
  { label: 'From version', field: 'base_version', before: null, after: input.base_version },
  { label: 'Channels', field: 'channels', before: null, after: channelsOf({ input, brief }) },
  {
    label: 'Drafts',
    field: ['locale', 'locales', 'variants'],
    before: null,
    after: slotsOf(answer).map(describeSlot)
  },
  ...answer.contents.flatMap((made) => textChanges(null, made)
    .map(({ label, before, after }): Change => ({ label: `${describeSlot(made)}: ${label}`, before, after })))
]

const byModel = ({ head_version: head }: Content, { preserve, targets }: Input): Change[] => [
  {
    label: 'Version',
    field: ['base_version', 'preserve'],
    before: head,
    after: preserve === 'none'
      ? `${head + 1}, a draft instead of what people wrote`
      : `${head + 1}, a draft, or suggestions beside what people wrote`
  },
  { label: 'Parts', field: 'targets', before: null, after: targets }
]

const changesOf = (prepared: Prepared): Change[] => {
  const { input, content, answer: { generation, contents } } = prepared
  if (isNew(input) || content === null) return newChanges(prepared)
  if (generation) return byModel(content, input)
  return input.mode === 'check' ? [] : versionChanges(content, contents[0] ?? content)
}

const verbs: Record<GenerateContent['mode'], string> = {
  create: 'Make drafts of the brief',
  check: 'Check',
  repair: 'Write a repaired draft version of',
  rewrite: 'Rewrite, as a draft version,',
  sections: 'Rewrite parts of, as a draft version,',
  adapt: 'Make drafts for other channels from',
  translate: 'Make translated drafts of'
}

const subject = ({ input, content, brief }: Prepared): { target: Target, title: string, ifMatch?: string } => {
  if (content) return { target: contentTarget(content), title: content.title, ifMatch: etag(content.revision) }
  if (brief) return { target: briefTarget(brief), title: brief.title, ifMatch: etag(brief.revision) }
  // The dry run has refused a request that names neither a record nor a brief.
  const { title = '' } = input.brief ?? {}
  return { target: { kind: 'brief', id: `new:${title}`, within: { project: input.project_id ?? '' } }, title }
}

const byRules: Change = { label: 'Engine', field: 'engine', before: null, after: 'rules', context: true }

const plan = async (requested: Input, read: Read): Promise<Plan> => {
  const prepared = await prepare(requested, read)
  const { input, content, brief, answer: { generation } } = prepared
  const { title, ...about } = subject(prepared)
  const mode = input.mode ?? 'create'
  return {
    ...about,
    summary: summarize(input.dry_run, `${verbs[mode]} "${title}"`),
    changes: [
      ...briefRow(brief),
      ...changesOf(prepared),
      ...generation ? modelChanges(generation) : [byRules]
    ],
    covered: ['mode', 'dry_run', ...content ? ['content_id', 'base_version'] : ['brief_id', 'project_id']],
    args: pin(prepared),
    facts: { brief: brief && hashOf(brief), head_version: content && isRevision(input) ? content.head_version : null },
    effect: input.dry_run || mode === 'check' ? 'read' : 'write',
    risk: [generation ? 'spends_on_model' : 'own_records']
  }
}

export const generateContentTool = defineWriteTool({
  input: { body: GenerateContent },
  reads: ['generateContent', ['getBrief', 'getContent']],
  basis: 'What the brief says, the version that is written on, the outputs, and what the model may cost: what is ' +
    'written is a draft, so the brand that it is written by may change',
  plan
})
