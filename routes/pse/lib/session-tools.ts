import type { Arguments, PreviewRow, Read, ToolOptions } from '../../../plugins/tool-options.js'
import type { SpecSession } from '../../../schemas/pse/sessions.js'

export type WriteTool = Exclude<ToolOptions, 'read'>

export const sessionUrl = (args: Arguments) => `/pse/sessions/${encodeURIComponent(String(args.session_id))}`

// The answer's schema is SpecSession.
export const readSession = async (args: Arguments, read: Read) => await read(sessionUrl(args)) as unknown as SpecSession

const titleOf = async (args: Arguments, read: Read) => (await readSession(args, read)).title

export const show = (value: unknown): string | null => {
  if (value === undefined || value === null) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 2_000 ? `${text.slice(0, 2_000).toWellFormed()}… (${text.length - 2_000} more characters)` : text
}

const fields = ['title', 'description', 'project_id', 'spec_type', 'profile', 'notation', 'locale', 'artifacts',
  'standards', 'options'] as const

const changes = (args: Arguments, before: Arguments): PreviewRow[] =>
  fields.filter((field) => args[field] !== undefined)
    .map((field) => ({ label: field, before: show(before[field]), after: show(args[field]) }))

const showInputs = (args: Arguments): PreviewRow[] => {
  // The route has checked the arguments against its schemas before this runs.
  const inputs = (args.inputs ?? []) as ({ kind: string, label?: string } & Arguments)[]
  return inputs.map(({ kind, label, data, ...rest }) => ({
    label: label ? `${kind}: ${label}` : kind,
    before: null,
    after: show(rest.text ?? rest) + (data === undefined ? '' : ` (${String(data).length} characters of base64)`)
  }))
}

export const createSessionTool: WriteTool = {
  effect: 'write',
  risk: 'low',
  summary: (args) => `Create the spec session “${String(args.title)}”`,
  preview: (args) => [...changes(args, {}), ...showInputs(args)]
}

export const updateSessionTool: WriteTool = {
  effect: 'write',
  risk: 'low',
  summary: async (args, read) => `Change the spec session “${await titleOf(args, read)}”`,
  preview: async (args, read) => changes(args, await read(sessionUrl(args)))
}

export const deleteSessionTool: WriteTool = {
  effect: 'write',
  risk: 'high',
  summary: async (args, read) => `Delete the spec session “${await titleOf(args, read)}” with all its versions`,
  async preview (args, read) {
    const { title, inputs, current_version: version } = await readSession(args, read)
    return [{ label: 'session', before: `${title}: ${inputs} inputs, ${version ?? 0} versions`, after: null }]
  }
}

export const addInputsTool: WriteTool = {
  effect: 'write',
  risk: 'low',
  async summary (args, read) {
    const count = (args.inputs as unknown[]).length
    return `Add ${count === 1 ? 'an input' : `${count} inputs`} to the spec session “${await titleOf(args, read)}”`
  },
  async preview (args, read) {
    await readSession(args, read)
    return showInputs(args)
  }
}

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

const engineOf = ({ mode, engine = 'auto', model }: Arguments): string => {
  if (mode === 'check' || mode === 'import') return 'none'
  return model === undefined ? engines[String(engine)] ?? String(engine) : `the model ${String(model)}`
}

/** What is asked for beside the whole: shown as it will be sent. */
const wishes = (args: Arguments): PreviewRow[] => (['targets', 'instructions', 'budget'] as const)
  .filter((name) => args[name] !== undefined).map((name) => ({ label: name, before: null, after: show(args[name]) }))

export const generateTool: WriteTool = {
  effect: 'write',
  risk: 'medium',
  async summary (args, read) {
    const verb = verbs[String(args.mode ?? 'full')] ?? 'Generate'
    const cost = args.dry_run === true ? ', only to say what it would cost' : ''
    return `${verb} the spec “${await titleOf(args, read)}”${cost}`
  },
  async preview (args, read) {
    const { current_version: version, inputs, state } = await readSession(args, read)
    const next = args.mode === 'check' || args.dry_run === true ? version : (version ?? 0) + 1
    return [
      { label: 'Version', before: show(version), after: show(next) },
      { label: 'Engine', before: null, after: engineOf(args) },
      { label: 'Inputs', before: null, after: String(inputs) },
      { label: 'State', before: state, after: args.dry_run === true ? state : 'generating' },
      ...wishes(args)
    ]
  }
}

export const cancelTool: WriteTool = {
  effect: 'write',
  risk: 'low',
  summary: async (args, read) => `Cancel the generation of the spec “${await titleOf(args, read)}”`,
  async preview (args, read) {
    const { state } = await readSession(args, read)
    return [{ label: 'State', before: state, after: 'as before the generation' }]
  }
}

export const moveSessionTool: WriteTool = {
  effect: 'write',
  risk: 'medium',
  summary: async (args, read) => `Move the spec session “${await titleOf(args, read)}” to ${String(args.to)}`,
  async preview (args, read) {
    const { state, current_version: version, check_verdict: verdict } = await readSession(args, read)
    return [
      { label: 'State', before: state, after: String(args.to) },
      { label: 'Version', before: null, after: version === null ? null : `${version}, checks: ${verdict ?? 'none'}` }
    ]
  }
}
