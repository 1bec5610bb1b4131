import { v7 as uuid } from 'uuid'
import { bindAttachments } from '../../../../db/agent/attachments.js'
import { listMessages } from '../../../../db/agent/queue.js'
import { countParked, listParked } from '../../../../db/agent/parked.js'
import type { Preferences } from '../../../../db/agent/preferences.js'
import { findLiveRun } from '../../../../db/agent/runs.js'
import {
  isDuplicateRequest,
  isSessionBusy,
  startInSession,
  type NewRun,
  type Started
} from '../../../../db/agent/start-run.js'
import type { RunStatus } from '../../../../db/agent/tables.js'
import { hasRoleOn } from '../../../../lib/access/require-access.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { bodyHash } from '../../../../lib/http/requests.js'
import { requireModel } from '../../../../lib/llm/require-model.js'
import { IdempotencyMismatch, InvalidRequest } from '../../../../schemas/errors.js'
import type { ChatRequest } from '../../../../schemas/agent/chat.js'
import type { Slot } from '../loop/admission.js'
import { attach } from './attachments.js'
import type { AttachmentBlock } from '../window/weigh-context.js'
import { contextBlock, promptHash, promptOf } from '../window/prompt.js'
import type { Engine } from '../loop/engine.js'
import {
  ApprovalsPending,
  MessageTooLarge,
  ProjectNotFound,
  SessionBusy,
  SessionNotFound,
  TooManyRuns,
  TooManyWaiting
} from '../errors.js'
import { toMessages } from '../run/history.js'
import { assistantPrincipal, freshState, storedPrincipal } from '../run/load-run.js'
import { redactText } from '../../../../lib/security/redaction.js'
import type { Deps } from '../run/run-state.js'

export interface ChatCall {
  principal: Principal
  body: ChatRequest
  idempotencyKey: string | undefined
  requestId: string
  remoteAddress: string
}

export interface ChatRun {
  session_id: string
  run_id: string
  status: RunStatus
}

/** Characters of which a title is made; no credential is longer. */
const maxOpening = 10_000

const titleOf = (message: string): string => {
  const opening = message.trim().slice(0, maxOpening).split('\n')[0] ?? ''
  const line = redactText(opening).replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59).trimEnd()}…`.toWellFormed() : line
}

/** What a message says of the session that it begins. */
const chosenBy = ({ model, effort, thinking }: ChatRequest) => ({
  ...(model !== undefined && { own_model: model }),
  ...(effort !== undefined && { effort }),
  ...(thinking !== undefined && { thinking })
})

/** @throws invalid_request where the session exists, and as `requireModel` */
const requireChoice = async ({ llm }: Deps, workspaceId: string,
  { session_id, model, effort, thinking }: ChatRequest): Promise<void> => {
  const chosen = Object.entries({ model, effort, thinking }).flatMap(([name, value]) => value === undefined ? [] : name)
  if (session_id !== undefined && chosen.length > 0) {
    const message = 'belongs to a message that begins a session; change one that exists by PATCH'
    throw InvalidRequest(`${chosen.join(', ')}: ${message}`,
      { errors: chosen.map((name) => ({ pointer: `/${name}`, code: 'exclusive', message })) })
  }
  if (model !== undefined) await requireModel(llm.of(workspaceId), model, '/model')
}

const toNewRun = (deps: Deps, engine: Engine, call: ChatCall, content: unknown[], preferences: string | null):
NewRun => {
  const { principal, body } = call
  const limits = deps.workspaces.limitsOf(principal.workspace_id)
  return {
    workspace_id: principal.workspace_id,
    user_id: principal.user_id,
    session_id: body.session_id ?? uuid(),
    run_id: uuid(),
    message_id: uuid(),
    principal: storedPrincipal(principal),
    content,
    search_text: body.message,
    idempotency_key: call.idempotencyKey ?? null,
    request_hash: call.idempotencyKey === undefined ? null : bodyHash(body),
    budget_usd_micros: limits.budget_run_usd * 1_000_000,
    lease_owner: engine.instance,
    lease_ms: limits.lease_ms,
    max_live: limits.live_runs_per_user,
    max_waiting: limits.waiting_runs_per_user,
    model: deps.llm.modelOf(principal.workspace_id),
    ...chosenBy(body),
    request_id: call.requestId,
    remote_address: call.remoteAddress,
    via: principal.via,
    via_id: principal.via_id,
    preferences
  }
}

const tooMany = ({ live }: Started, { max_live, max_waiting }: NewRun) => live >= max_live
  ? TooManyRuns(`${max_live} runs are live; wait for one or stop one`).withHeaders({ 'retry-after': '5' })
  : TooManyWaiting(`${max_waiting} conversations wait for approvals; decide some of them, or stop their runs`)
    .withHeaders({ 'retry-after': '60' })

/** The person prefers something else by now than what this process has read. */
class PreferencesChanged extends Error {}

const insert = async (deps: Deps, run: NewRun, call: ChatCall): Promise<Started> => {
  const started =
    call.body.session_id === undefined
      ? await deps.runBatches.start(run, {
        system_hash: promptHash,
        title: titleOf(call.body.message),
        budget_usd_micros: deps.workspaces.limitsOf(run.workspace_id).budget_session_usd * 1_000_000
      })
      : await startInSession(deps.db, run)
  if (!started) throw SessionNotFound()
  if (!started.prefers) throw new PreferencesChanged()
  if (started.run_id === null) throw tooMany(started, run)
  return started
}

/** @returns the run that an earlier request with this key began. @throws idempotency_mismatch for another body */
const findJoined = async (deps: Deps, call: ChatCall): Promise<ChatRun | undefined> => {
  if (call.idempotencyKey === undefined) return undefined
  const { workspace_id, user_id } = call.principal
  const run = await deps.runBatches.findByKey(workspace_id, user_id, call.idempotencyKey)
  if (!run) return undefined
  if (!run.request_hash?.equals(bodyHash(call.body))) throw IdempotencyMismatch()
  return { session_id: run.session_id, run_id: run.id, status: run.status }
}

/** Closes what waits in the session beside its live run, as the person asks for. */
const supersede = async (deps: Deps, engine: Engine, { principal, body }: ChatCall): Promise<void> => {
  const { workspace_id, user_id } = principal
  if (body.on_pending !== 'supersede' || body.session_id === undefined || principal.assistant) return
  for (const { id } of await listParked(deps.db, workspace_id, user_id, body.session_id)) {
    await engine.requestCancel(workspace_id, user_id, id, 'superseded')
  }
}

/** A message to a session with a live run: one that only waits for approvals gives way, any other does not. */
const makeRoom = async (deps: Deps, engine: Engine, call: ChatCall, sessionId: string): Promise<void> => {
  const { workspace_id, user_id } = call.principal
  const live = await findLiveRun(deps.db, workspace_id, sessionId)
  if (!live) return
  const members = { run_id: live.id, stream_url: `/api/v1/agent/sessions/${sessionId}/stream` }
  if (live.status !== 'awaiting_confirmation') throw SessionBusy(undefined, members)
  const { on_pending: onPending = 'keep' } = call.body
  if (onPending === 'reject') throw ApprovalsPending(undefined, members)
  if (onPending === 'keep') {
    const { waiting_runs_per_user: most } = deps.workspaces.limitsOf(workspace_id)
    if (await countParked(deps.db, workspace_id, user_id) >= most) {
      throw TooManyWaiting(`${most} runs wait for approvals; decide some of them, or stop the runs`)
        .withHeaders({ 'retry-after': '60' })
    }
    const parked = await engine.park(workspace_id, live.id)
    if (parked === 'parked') return
    if (parked === 'work') throw SessionBusy(undefined, members)
  }
  // An assistant must not close a question that a person is to answer.
  if (call.principal.assistant) throw ApprovalsPending(undefined, members)
  await engine.requestCancel(workspace_id, user_id, live.id, 'superseded')
}

/** @returns the instructions of the selected project. @throws project_not_found, also for one they may not see */
const instructionsOf = async (deps: Deps, principal: Principal, project: string | undefined): Promise<string> => {
  if (project === undefined) return ''
  const isVisible = hasRoleOn(principal, 'viewer', { project_id: project })
  const instructions = isVisible &&
    await deps.projectLookUps.add({ workspaceId: principal.workspace_id, what: project })
  if (instructions) return instructions.text
  throw ProjectNotFound(undefined, {
    errors: [{ pointer: '/context/selected_project_id', code: 'project_not_found', message: 'is not a project' }]
  })
}

/**
 * @returns what comes with the message: the instructions of its project, and its files
 * @throws message_too_large, project_not_found, attachment_not_found, and as `requireChoice`
 */
export const requireValid = async (deps: Deps, { principal, body }: Pick<ChatCall, 'principal' | 'body'>):
Promise<{ instructions: string, attachments: AttachmentBlock[] }> => {
  const { message_bytes } = deps.config.limits
  if (Buffer.byteLength(body.message) > message_bytes) {
    throw MessageTooLarge(`A message may have ${message_bytes} bytes`, {
      errors: [{ pointer: '/message', code: 'message_too_large', message: `is larger than ${message_bytes} bytes` }]
    })
  }
  await requireChoice(deps, principal.workspace_id, body)
  const [instructions, attachments] = await Promise.all([
    instructionsOf(deps, principal, body.context?.selected_project_id), attach(deps, principal, body)
  ])
  return { instructions, attachments }
}

/** What a chat that was admitted takes along. */
interface Admitted {
  slot: Slot
  preferences: Preferences
  /** Whether they were read for this chat. */
  isFresh: boolean
  instructions: string
  attachments: AttachmentBlock[]
}

const store = async (deps: Deps, engine: Engine, call: ChatCall, admitted: Admitted): Promise<ChatRun> => {
  const { principal, body } = call
  const { slot, preferences: { rows, version }, isFresh, instructions, attachments } = admitted
  const preferences = rows.filter(({ status }) => status === 'active')
  const text = { type: 'text' as const, text: body.message }
  const context = contextBlock(new Date(), principal, { ...body.context, instructions }, preferences)
  const run = toNewRun(deps, engine, call, [context, ...attachments, text], isFresh ? null : version)
  const started = await insert(deps, run, call)
  const { workspace_id, run_id, session_id, user_id } = run
  const history = body.session_id === undefined
    ? [{ id: '', role: 'user' as const, content: run.content }]
    : await listMessages(deps.db, workspace_id, session_id)
  const state = freshState(deps, {
    kind: 'chat',
    key: { workspace_id, run_id, session_id, user_id, epoch: 1 },
    principal: assistantPrincipal(
      { id: user_id, name: principal.name, role: principal.role, bindings: principal.bindings },
      workspace_id, run_id, principal.scopes
    ),
    model: started.model,
    thinking: { effort: started.effort ?? null, thinking: started.thinking ?? null },
    system: await promptOf(deps, workspace_id, started.system_hash),
    title: started.title,
    messages: toMessages(history, started.model_since, deps.llm.of(workspace_id).searchesTools(started.model)),
    modelSince: started.model_since,
    measured: { tokens: started.context_tokens ?? 0, characters: started.context_characters ?? 0 },
    nextSeq: started.seq + 1,
    preferences,
    position: 0,
    spent: started.spent,
    budget: started.budget
  })
  if (attachments.length > 0) {
    await bindAttachments(deps.db, workspace_id, session_id, attachments.map(({ id }) => id))
  }
  void engine.execute(state, slot)
  return { session_id, run_id, status: 'running' }
}

const maxRooms = 3

const begin = async (deps: Deps, engine: Engine, call: ChatCall, slot: Slot): Promise<ChatRun> => {
  const { workspace_id, user_id } = call.principal
  const read = () => deps.runBatches.readPreferences(workspace_id, user_id)
  const kept = deps.runBatches.keptPreferences(workspace_id, user_id)
  const [found, given] = await Promise.all([
    kept ?? read(), requireValid(deps, call), deps.llm.prepare({ workspace_id, user_id })
  ])
  await supersede(deps, engine, call)
  let admitted = { slot, preferences: found, isFresh: !kept, ...given }
  for (let rooms = 0; ;) {
    try {
      return await store(deps, engine, call, admitted)
    } catch (error) {
      if (error instanceof PreferencesChanged) {
        admitted = { ...admitted, preferences: await read(), isFresh: true }
        continue
      }
      const joined = isDuplicateRequest(error) ? await findJoined(deps, call) : undefined
      if (joined) return joined
      if (!isSessionBusy(error) || call.body.session_id === undefined || rooms++ >= maxRooms) {
        throw isSessionBusy(error) ? SessionBusy() : error
      }
      await makeRoom(deps, engine, call, call.body.session_id)
      const begun = await findJoined(deps, call)
      if (begun) return begun
    }
  }
}

/**
 * Begins a run with the person's message, in this process, at once. Whether there is room is decided first; who only
 * comes back to a run needs none.
 * @throws session_not_found, session_busy, approvals_pending, too_many_runs, too_many_waiting, message_too_large,
 *   idempotency_mismatch, overloaded
 */
export const startChat = async (deps: Deps, engine: Engine, call: ChatCall): Promise<ChatRun> => {
  const joined = await findJoined(deps, call)
  if (joined) return joined
  const slot = engine.admit()
  try {
    return await begin(deps, engine, call, slot)
  } finally {
    slot.giveBack()
  }
}
