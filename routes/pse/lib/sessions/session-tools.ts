import { fieldChanges, sentFields } from '../../../../lib/tools/changes.js'
import { defineWriteTool, type Change, type Read, type Target } from '../../../../lib/tools/options.js'
import { GenerateSpec, Generation, GenerationParams } from '../../../../schemas/pse/generations.js'
import { AddInputs, type NewInput } from '../../../../schemas/pse/inputs.js'
import {
  CreateSpecSession, MoveSpecSession, SpecSession, SpecSessionParams, UpdateSpecSession
} from '../../../../schemas/pse/sessions.js'
import type { Sent } from '../../../../schemas/common.js'
import { etag } from '../../../../schemas/revisions.js'

export const sessionUrl = (id: string) => `/pse/sessions/${encodeURIComponent(id)}`

export const readSession = (id: string, read: Read) => read(sessionUrl(id), SpecSession)

export const sessionTarget = ({ session_id: id, title, project_id: project }: SpecSession): Target =>
  ({ kind: 'spec_session', id, ...(project !== null && { within: { project } }), names: [title] })

const fields = ['title', 'description', 'project_id', 'spec_type', 'profile', 'notation', 'locale', 'artifacts',
  'standards'] as const

/** Lists the options that change; the others stay. */
const optionsOf = (input: UpdateSpecSession, before: Partial<SpecSession>): Change[] =>
  Object.entries(input.options ?? {}).map(([name, after]) => {
    const now: Record<string, unknown> = { ...before.options }
    return { label: `options.${name}`, field: 'options', before: now[name], after }
  })

const changes = (input: UpdateSpecSession, before: Partial<SpecSession>): Change[] => [
  ...fieldChanges(sentFields(fields, input), input, before),
  ...optionsOf(input, before)
]

const inputChanges = (inputs: readonly NewInput[]): Change[] => inputs.map((input, index) => {
  const label = `Input ${index + 1}: ${input.label ? `${input.kind}, ${input.label}` : input.kind}`
  const { kind: _, label: __, ...rest } = input
  const sole = 'text' in rest && Object.keys(rest).length === 1 ? rest.text : rest
  return { label, field: 'inputs', before: null, after: sole }
})

export const createSessionTool = defineWriteTool({
  input: { body: CreateSpecSession },
  reads: [],
  basis: 'Nothing: what is made is all in the arguments',
  additive: true,
  plan: async (input) => ({
    target: {
      kind: 'spec_session', id: `new:${input.title}`, ...(input.project_id && { within: { project: input.project_id } })
    },
    summary: `Create the spec session “${input.title}”`,
    changes: [...changes(input, {}), ...inputChanges(input.inputs ?? [])],
    risk: ['only_adds']
  })
})

export const updateSessionTool = defineWriteTool({
  input: { params: SpecSessionParams, body: UpdateSpecSession },
  reads: ['getSpecSession'],
  basis: 'The settings that are changed, as they are, and whether it is archived',
  async plan (input, read) {
    const session = await readSession(input.session_id, read)
    return {
      target: sessionTarget(session),
      summary: `Change the spec session “${session.title}”`,
      changes: changes(input, session),
      facts: { archived: session.state === 'archived' },
      ifMatch: etag(session.revision),
      risk: ['own_records']
    }
  }
})

export const deleteSessionTool = defineWriteTool({
  input: { params: SpecSessionParams },
  reads: ['getSpecSession'],
  basis: 'What is deleted: the title, the inputs and the versions',
  async plan ({ session_id: id }, read) {
    const session = await readSession(id, read)
    const { title, inputs, current_version: version } = session
    return {
      target: sessionTarget(session),
      summary: `Delete the spec session “${title}” with all its versions; for 30 days it can be brought back`,
      changes: [{ label: 'session', before: `${title}: ${inputs} inputs, ${version ?? 0} versions`, after: null }],
      ifMatch: etag(session.revision),
      risk: ['deletes']
    }
  }
})

export const addInputsTool = defineWriteTool({
  input: { params: SpecSessionParams, body: AddInputs },
  reads: ['getSpecSession'],
  basis: 'Whether the session is archived: inputs only add to what is there',
  additive: true,
  async plan (input, read) {
    const session = await readSession(input.session_id, read)
    const count = input.inputs.length === 1 ? 'an input' : `${input.inputs.length} inputs`
    return {
      target: sessionTarget(session),
      summary: `Add ${count} to the spec session “${session.title}”`,
      changes: inputChanges(input.inputs),
      facts: { archived: session.state === 'archived' },
      risk: ['only_adds']
    }
  }
})

const verbs: Record<string, string> = {
  full: 'Generate',
  sections: 'Make sections anew of',
  requirements: 'Make requirements anew of',
  repair: 'Repair',
  check: 'Check again',
  import: 'Take files over into'
}

const engines: Record<string, string> =
  { auto: 'the configured model, or else the template engine', template: 'the template engine', model: 'the model' }

const engineOf = ({ mode, engine = 'auto', model }: Sent<typeof GenerateSpec>): string => {
  if (mode === 'check' || mode === 'import') return 'none'
  return model === undefined ? engines[engine] ?? engine : `the model ${model}`
}

export const generateTool = defineWriteTool({
  input: { params: SpecSessionParams, body: GenerateSpec },
  reads: ['getSpecSession'],
  basis: 'The revision of the session: it counts every change of its inputs, settings and versions',
  async plan (input, read) {
    const { mode = 'full', dry_run: isDry = false } = input
    const session = await readSession(input.session_id, read)
    const { title, current_version: version, inputs, state, revision } = session
    const next = mode === 'check' || isDry ? version : (version ?? 0) + 1
    return {
      target: sessionTarget(session),
      summary: `${verbs[mode]} the spec “${title}”${isDry ? ', only to say what it would cost' : ''}`,
      changes: [
        { label: 'Version', field: ['base_version', 'mode'], before: version, after: next },
        { label: 'Engine', field: ['engine', 'model'], before: null, after: engineOf(input) },
        { label: 'Inputs', before: null, after: inputs },
        { label: 'State', before: state, after: isDry ? state : 'generating' }
      ],
      // Pins the version that the preview shows.
      args: { ...input, ...(version !== null && { base_version: version }) },
      facts: { revision },
      ifMatch: etag(revision),
      effect: isDry ? 'read' : 'write',
      risk: ['spends_on_model']
    }
  }
})

export const cancelTool = defineWriteTool({
  input: { params: GenerationParams },
  reads: ['getSpecSession', 'getSpecGeneration'],
  basis: 'The generation that runs: its state is what cancelling changes',
  async plan ({ session_id: id, generation_id: generation }, read) {
    const session = await readSession(id, read)
    const { within } = sessionTarget(session)
    const { status, cancel_requested_at: cancelledAt, finished_at: end } =
      await read(`${sessionUrl(id)}/generations/${encodeURIComponent(generation)}`, Generation)
    const after = cancelledAt === null && end === null ? 'cancelled' : status
    return {
      target: {
        kind: 'spec_generation', id: generation, within: { ...within, spec_session: id }, names: [session.title]
      },
      summary: `Cancel the generation of the spec “${session.title}”`,
      changes: [
        { label: 'Generation', before: status, after, binding: false },
        { label: 'State', before: session.state, after: 'as before the generation', context: true }
      ],
      risk: ['own_records']
    }
  }
})

export const moveSessionTool = defineWriteTool({
  input: { params: SpecSessionParams, body: MoveSpecSession },
  reads: ['getSpecSession'],
  basis: 'The state, the version that it is said of, and what its checks found',
  async plan (input, read) {
    const session = await readSession(input.session_id, read)
    const { state, title, current_version: version, check_verdict: verdict, stale } = session
    return {
      target: sessionTarget(session),
      summary: `Move the spec session “${title}” to ${input.to}`,
      changes: [
        { label: 'State', field: 'to', before: state, after: input.to },
        { label: 'Version', before: null, after: version === null ? null : `${version}, checks: ${verdict ?? 'none'}`, context: true }
      ],
      facts: { stale, blocking_questions: session.blocking_questions },
      ifMatch: etag(session.revision),
      risk: ['changes_standing']
    }
  }
})
