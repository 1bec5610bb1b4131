import { v7 as uuid } from 'uuid'
import type { CallRow, ConfirmationRow } from '../../../db/agent/commit-run.js'
import { findProposalFacts } from '../../../db/agent/calls.js'
import type { Arguments, PreviewRow } from '../../../plugins/tool-options.js'
import type { Tool } from '../../../plugins/tools.js'
import { ApiError } from '../../../schemas/errors.js'
import { refused } from './object-to-call.js'
import type { Outcome } from './results.js'
import { showText } from './show-text.js'
import type { Deps, RunState } from './run-state.js'
import { within } from './within.js'

const shown = ({ label, before, after }: PreviewRow): PreviewRow => ({
  label: showText(label),
  before: before === null ? null : showText(before),
  after: after === null ? null : showText(after)
})

const sentBefore: PreviewRow = { label: 'Sent before', before: null, after: 'This session already sent this very call' }

/** The code of a tool that says what a call would do is at fault, and nothing of the call or the target. */
class PreviewFailed extends Error {}

/** Reads the live state as long as it may take; a run that is stopped or given back waits for none of it. */
const showCall = async (deps: Deps, state: RunState, options: NonNullable<Tool['options']>, args: Arguments) => {
  const read = deps.tools.reader(state.principal)
  const work = Promise.all([options.summary(args, read), options.preview(args, read)])
  const { preview_timeout_ms: ms } = deps.config.limits
  const shown = await within(work, ms, state.abort.signal)
  if (shown === 'aborted') throw state.abort.signal.reason
  if (shown === 'timeout') throw new Error(`It took longer than ${ms} ms`)
  return shown
}

/**
 * @throws ApiError of a read
 * @throws PreviewFailed instead of whatever else the tool's code throws, or when it takes too long: it ends the call,
 *   not the run
 * @throws whatever the run was aborted with
 */
const describe = async (deps: Deps, state: RunState, tool: Tool, args: Arguments) => {
  const { options } = tool
  if (!options) throw new Error(`${tool.name} does not write`)
  try {
    const [summary, preview] = await showCall(deps, state, options, args)
    return { summary: showText(summary), preview: preview.map(shown), risk: options.risk }
  } catch (error) {
    if (error instanceof ApiError || state.abort.signal.aborted) throw error
    const err = error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) }
    deps.log.error({ tool: tool.name, run_id: state.key.run_id, err }, 'a preview failed')
    throw new PreviewFailed()
  }
}

/**
 * Makes the question for a write: summary and preview come from the tool's code and the live state.
 * @throws ApiError of the operation, when the target cannot be read
 * @throws PreviewFailed when the tool's code cannot say what would happen
 */
export const proposeCall = async (deps: Deps, state: RunState, tool: Tool, row: CallRow): Promise<ConfirmationRow> => {
  const args = row.effective_input ?? {}
  const { workspace_id, session_id } = state.key
  const [{ summary, preview, risk }, facts] = await Promise.all([
    describe(deps, state, tool, args),
    findProposalFacts(deps.db, workspace_id, session_id, row.input_digest, deps.config.limits.confirmation_ttl_s)
  ])
  return {
    id: uuid(),
    kind: 'tool',
    tool_call_id: row.id,
    name: tool.name,
    arguments: args,
    summary,
    preview: facts.sent_before ? [...preview, sentBefore] : preview,
    risk,
    editable: tool.editable,
    input_digest: row.input_digest,
    expires_at: facts.expires_at.toISOString()
  }
}

/** @returns the operation's error as the outcome of the call: nobody is asked about what cannot work */
export const failedProposal = (error: unknown): Outcome => {
  if (error instanceof PreviewFailed) {
    return refused('preview_failed', 'What this call would do could not be shown, so nobody was asked; it did not run')
  }
  if (!(error instanceof ApiError)) throw error
  const { code, message: detail, statusCode, members } = error
  return {
    status: 'failed',
    http_status: statusCode,
    result: { code, detail, ...(members.errors ? { errors: members.errors } : {}) }
  }
}
