import { body, Problem, type Schemas } from 'steward-client'
import { describeBuild } from './applications.js'
import type { Context, Input } from './command.js'
import { decide, decideUnseen, readApproval, type Outcome } from './decide.js'
import { Ended, exits } from './exits.js'
import { followBuild } from './follow-build.js'
import { oneLine } from './text.js'

type App = Schemas['App']
type Build = Schemas['Build']
type Call = Schemas['ToolCall']

/** What a refusal of a proposal is about. */
const causeOf = (problem: Problem): string => {
  // A member of this code: the error of the operation itself.
  const { detail, code } = (problem.body as { cause?: { detail?: string, code?: string } }).cause ?? {}
  return oneLine(detail === undefined ? problem.message : `${detail} (${code})`)
}

/** @throws Ended for what cannot be asked */
const propose = ({ connection }: Context, name: string, input: object): Promise<Call> =>
  body(connection.steward.api.POST('/api/v1/agent/tool-calls', {
    body: { name, arguments: { ...input } }
  })).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'tool_call_refused') throw error
    throw new Ended(exits.failed, `It cannot be done: ${causeOf(error)}`)
  })

const ends: Record<Exclude<Outcome, 'approved'>, number> = {
  rejected: exits.failed,
  counted: exits.waits,
  left: exits.waits,
  over: exits.failed,
  interrupted: exits.interrupted
}

/** Shows the plan, and has the person decide. @returns how the command ends; undefined when it was approved */
const decideProposal = async ({ context, results }: Input, { confirmation }: Call, digest: string | undefined):
Promise<number | undefined> => {
  // The workspace's policies let it run without a question.
  if (!confirmation) return undefined
  const { terminal, connection } = context
  const approval = await readApproval(connection, confirmation.id)
  const outcome = digest === undefined
    ? await decide(context, approval)
    : await decideUnseen(context, approval, digest, { approved: true })
  if (outcome === 'approved') return undefined
  if (results.isJson) results.json(approval)
  terminal.note(ends[outcome] === exits.failed
    ? 'Nothing was deployed.'
    : `It waits for approval: steward approve ${confirmation.id}`)
  return ends[outcome]
}

/** @returns the build that an approved call has started. @throws Ended when it has started none */
const awaitBuild = async ({ connection, terminal }: Context, app: App, { tool_call_id }: Call): Promise<Build> => {
  const { api } = connection.steward
  for (;;) {
    terminal.progress('Waiting for the build to begin …')
    const { finished_at: end, status, result } = await body(api.GET('/api/v1/agent/tool-calls/{tool_call_id}', {
      params: { path: { tool_call_id }, query: { wait_s: 60 } }
    }))
    if (end === null) continue
    // Of the operation's answer, or of its error.
    const { id, detail } = Object(result) as { id?: string, detail?: string }
    if (status !== 'succeeded' || id === undefined) {
      throw new Ended(exits.failed, `It ended as ${status}${detail === undefined ? '' : `: ${oneLine(detail)}`}`)
    }
    return body(api.GET('/deployments/apps/{app_id}/builds/{build_id}',
      { params: { path: { app_id: app.id, build_id: id } } }))
  }
}

/** Proposes what starts a build, has a person decide the plan, and follows the build to its end. */
export const buildAsProposed = async (input: Input, app: App, tool: string, proposal: object): Promise<number> => {
  const { context, results } = input
  const { terminal } = context
  const call = await propose(context, tool, proposal)
  const end = await decideProposal(input, call, input.text('digest'))
  if (end !== undefined) return end
  const build = await awaitBuild(context, app, call)
  terminal.note(describeBuild(build, app))
  if (!input.is('detach')) return followBuild(context, build, results)
  if (results.isJson) results.json(build)
  else terminal.print(build.id)
  return exits.done
}
