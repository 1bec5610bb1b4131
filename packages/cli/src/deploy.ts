import { allOf, body, itemsOf, Problem, type Schemas } from 'steward-client'
import { decide, decideUnseen, readApproval, type Context, type Outcome } from './decide.js'
import { Ended, exits, UsageError } from './exits.js'
import { followBuild } from './follow-build.js'
import { oneLine } from './text.js'

type App = Schemas['App']
type Build = Schemas['Build']
type Call = Schemas['ToolCall']
type DeployApp = Schemas['DeployApp']

export interface DeployOptions {
  ref?: string | undefined
  commit?: string | undefined
  image?: string | undefined
  /** Of the plan as it was read: then nobody is asked. */
  digest?: string | undefined
  detach: boolean
  json: boolean
}

/** @returns the application of this name or id. @throws UsageError when there is none, or more than one */
const findApp = async ({ connection }: Context, name: string): Promise<App> => {
  const { api } = connection.steward
  const load = (cursor: string | undefined) => body(api.GET('/deployments/apps', {
    params: { query: { limit: 100, ...(cursor !== undefined && { cursor }) } }
  }))
  const all = await allOf(itemsOf(load))
  const found = all.filter((app) => app.id === name || app.name === name)
  if (found.length === 1 && found[0]) return found[0]
  const names = all.map((app) => oneLine(app.name)).join(', ') || 'none yet'
  throw new UsageError(found.length === 0
    ? `There is no application ${JSON.stringify(name)}; there is ${names}`
    : `${found.length} applications have this name: give an id, ${found.map(({ id }) => id).join(' or ')}`)
}

/** What a refusal of a proposal is about. */
const causeOf = (problem: Problem): string => {
  // A member of this code: the error of the operation itself.
  const { detail, code } = (problem.body as { cause?: { detail?: string, code?: string } }).cause ?? {}
  return oneLine(detail === undefined ? problem.message : `${detail} (${code})`)
}

/** @throws Ended for what cannot be asked */
const propose = ({ connection }: Context, app: App, input: DeployApp): Promise<Call> =>
  body(connection.steward.api.POST('/api/v1/agent/tool-calls', {
    body: { name: 'deployApp', arguments: { app_id: app.id, ...input } }
  })).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'tool_call_refused') throw error
    throw new Ended(exits.failed, `It cannot be deployed: ${causeOf(error)}`)
  })

const ends: Record<Exclude<Outcome, 'approved'>, number> = {
  rejected: exits.failed,
  counted: exits.waits,
  left: exits.waits,
  over: exits.failed,
  interrupted: exits.interrupted
}

/** Shows the plan, and has the person decide. @returns how the command ends; undefined when it was approved */
const decideProposal = async (context: Context, { confirmation }: Call, { digest, json }: DeployOptions):
Promise<number | undefined> => {
  // The workspace's policies let it run without a question.
  if (!confirmation) return undefined
  const { terminal, connection } = context
  const approval = await readApproval(connection, confirmation.id)
  const outcome = digest === undefined
    ? await decide(context, approval)
    : await decideUnseen(context, approval, digest, { approved: true })
  if (outcome === 'approved') return undefined
  if (json) terminal.json(approval)
  terminal.note(ends[outcome] === exits.failed
    ? 'Nothing was deployed.'
    : `It stays in the inbox: steward approve ${confirmation.id}`)
  return ends[outcome]
}

/** @returns the build that an approved call has started. @throws Ended when it has started none */
const awaitBuild = async ({ connection }: Context, app: App, { tool_call_id }: Call): Promise<Build> => {
  const { api } = connection.steward
  const path = { tool_call_id }
  for (;;) {
    const { finished_at: end, status, result } = await body(api.GET('/api/v1/agent/tool-calls/{tool_call_id}', {
      params: { path, query: { wait_s: 60 } }
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

/** Deploys an application once a person has read what that changes, and follows its build to the end. */
export const deploy = async (context: Context, name: string, options: DeployOptions): Promise<number> => {
  const { terminal } = context
  const { ref, commit, image, detach, json } = options
  const app = await findApp(context, name)
  const call = await propose(context, app, {
    ...(ref !== undefined && { ref }), ...(commit !== undefined && { commit }), ...(image !== undefined && { image })
  })
  const end = await decideProposal(context, call, options)
  if (end !== undefined) return end
  const build = await awaitBuild(context, app, call)
  const environment = app.environment === null ? '' : ` in ${oneLine(app.environment)}`
  terminal.note(`Build ${build.number} of ${oneLine(app.name)}${environment}, ${oneLine(build.ref)}`)
  if (!detach) return followBuild(context, build, json)
  if (json) terminal.json(build)
  else terminal.print(build.id)
  return exits.done
}
