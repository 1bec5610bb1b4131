import type { Static, TSchema } from '@sinclair/typebox'
import { releaseUnsent } from '../../../../db/idempotency.js'
import { keyScope } from '../../../../lib/http/requests.js'
import { Cancelled, pause, StepFailed, type StepContext } from './build-state.js'
import { bodyOf, errorOf, type RouteAnswer } from '../../../../lib/http/call-route.js'
import { currentPrincipal } from '../../../../lib/security/principal.js'
import { callArea } from '../errors.js'

const waitMs = 3_000
const maxFailures = 5

type Body = RouteAnswer['body']

/** A deploy route, as a build calls it. */
export interface DeployCall {
  url: string
  payload: object
  /** By which the route keeps its keys. */
  operation: 'deployService' | 'deployFunction' | 'moveFunctionAlias'
  /** The code while something else is being deployed there. */
  busy: string
  /** @returns what is logged while that goes on */
  waitsFor: (body: Body) => string
  /** Looks for what an earlier call of this build began without its answer being written down. */
  findSent: () => Promise<RouteAnswer | undefined>
  /** This build has called before, so a cancel has something to undo: the call's answer is fetched all the same. */
  sent?: boolean
}

type Verdict = RouteAnswer | 'again' | 'again with a new key'

interface Tries { failures: number, isLogged: boolean, since: number }

const wait = async ({ log }: StepContext, why: string, tries: Tries): Promise<Verdict> => {
  if (!tries.isLogged) await log(why)
  tries.isLogged = true
  return 'again with a new key'
}

const keyOf = ({ state: { row } }: StepContext): string =>
  row.deploy_attempt === 0 ? row.id : `${row.id}.${row.deploy_attempt}`

const principalOf = ({ deps, state: { row } }: StepContext) => currentPrincipal(deps, row.workspace_id, row.principal)

const unknown = 'The deployment was asked for and no answer came: whether it began is not known. Look at the target ' +
  'before deploying again'

/**
 * A worker has called, this one or another, and there is no answer: what it began is followed, and what it certainly
 * did not send is sent now. It is never sent twice: under the same key the route answers again what it has answered.
 * @throws StepFailed when it may have been sent, and is not found for as long as a lease is
 */
const lost = async (context: StepContext, call: DeployCall, tries: Tries): Promise<Verdict> => {
  const found = await call.findSent()
  if (found) return found
  const scope = keyScope(await principalOf(context), `${call.operation} ${call.url}`, keyOf(context))
  // Should the other worker still live, it can send nothing under this key any more.
  if (await releaseUnsent(context.deps.db, scope)) return 'again'
  if (Date.now() - tries.since > context.deps.config.limits.lease_ms) throw new StepFailed(unknown)
  return 'again'
}

/** A push may come before its image: what builds it pushes the image meanwhile. */
const pushedWithinMs = 900_000
const isAwaited = ({ state: { row } }: StepContext, body: Body, { since }: Tries): boolean =>
  row.trigger === 'push' && body.code === 'image_not_found' && Date.now() - since < pushedWithinMs

const judge = async (context: StepContext, call: DeployCall, answer: RouteAnswer, tries: Tries): Promise<Verdict> => {
  const { status, body } = answer
  if (status < 300) return answer
  if (body.code === call.busy) return wait(context, call.waitsFor(body), tries)
  if (isAwaited(context, body, tries)) return wait(context, `Waits for the image: ${String(body.detail)}`, tries)
  if (body.code === 'idempotency_in_progress' || body.code === 'aws_outcome_unknown') return lost(context, call, tries)
  // Here AWS fails before anything has begun, so a repeated call begins nothing twice.
  const isTransient = status === 429 || status >= 502
  if (!isTransient || ++tries.failures >= maxFailures) throw errorOf(answer)
  await context.log(`${String(body.code)}: ${String(body.detail)}; asking again`)
  return status === 429 || status === 503 ? 'again' : 'again with a new key'
}

const send = async (context: StepContext, { url, payload }: DeployCall): Promise<RouteAnswer> =>
  callArea(context.deps, await principalOf(context), { method: 'POST', url, payload, key: keyOf(context) })

/**
 * Calls the deploy route as the actor of the build, until it accepts the call; each key is used for one
 * answer, so a call repeated after a crash begins nothing twice.
 * @param schema of the answer. @returns its body
 * @throws Cancelled when the build is cancelled before that, and what the route answers
 */
export const sendDeploy = async <T extends TSchema>(context: StepContext, call: DeployCall, schema: T):
Promise<Static<T>> => {
  const { state, signal } = context
  const tries: Tries = { failures: 0, isLogged: false, since: Date.now() }
  for (;;) {
    if (state.cancelling && !call.sent) throw new Cancelled('Nothing had been deployed')
    const answer = await send(context, call)
    context.deps.failpoint('build.after_send')
    const verdict = await judge(context, call, answer, tries)
    if (typeof verdict !== 'string') return bodyOf(verdict, schema)
    if (verdict === 'again with a new key') await state.write({ deploy_attempt: state.row.deploy_attempt + 1 })
    await pause(waitMs, signal)
  }
}
