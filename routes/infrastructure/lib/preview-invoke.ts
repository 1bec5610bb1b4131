import type { Arguments, PreviewRow, Read } from '../../../plugins/tool-options.js'
import type { InvokeFunction, ServerlessFunction } from '../../../schemas/infrastructure/functions.js'

const shownCharacters = 2_000

/** The route has checked the arguments against its schemas before these run. */
const wishOf = (args: Arguments) => args as unknown as InvokeFunction & { name: string }

const readTarget = async (args: Arguments, read: Read) => {
  const { name, qualifier } = wishOf(args)
  const query = qualifier === undefined ? '' : `?qualifier=${encodeURIComponent(qualifier)}`
  const answer = await read(`/infrastructure/serverless/functions/${encodeURIComponent(name)}${query}`)
  // The route's response schema is ServerlessFunction.
  return answer as unknown as ServerlessFunction
}

const verbs = { sync: 'Invoke', async: 'Invoke in the background', dry_run: 'Check that it may be invoked:' } as const

/** @returns such as "Invoke function echo (eu-west-1, account Sandbox)" */
export const summarizeInvoke = async (args: Arguments, read: Read): Promise<string> => {
  const { name, region, account_name: account } = await readTarget(args, read)
  const { mode = 'sync', qualifier } = wishOf(args)
  return `${verbs[mode]} function ${name}${qualifier ? `:${qualifier}` : ''} (${region}, account ${account})`
}

/** @throws the operation's own error when the function does not exist */
export const previewInvoke = async (args: Arguments, read: Read): Promise<PreviewRow[]> => {
  const { name, version, state } = await readTarget(args, read)
  const { payload } = wishOf(args)
  const text = payload === undefined ? '(none)' : JSON.stringify(payload)
  const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
  return [
    { label: 'Function', before: null, after: `${name}, version ${version}, ${state ?? 'state unknown'}` },
    { label: 'Payload', before: null, after: shown }
  ]
}
