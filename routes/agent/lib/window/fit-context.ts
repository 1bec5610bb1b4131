import { v7 as uuid } from 'uuid'
import type { MessageRow } from '../../../../db/agent/commit-run.js'
import { listCallGists } from '../../../../db/agent/context.js'
import { listMessages } from '../../../../db/agent/messages.js'
import type { ContextExceeded } from '../../../../lib/llm/errors.js'
import type { Compaction } from '../../../../schemas/agent/events.js'
import { commit } from '../run/commit.js'
import { readFacts } from './context-facts.js'
import { toMessages } from '../run/history.js'
import { planContext, type ContextPlan, type SentRow } from './plan-context.js'
import type { Deps, RunState } from '../run/run-state.js'
import { sizeOfBlocks, toTokens, weighContext, type Context } from './weigh-context.js'
import { writeNotes } from './write-notes.js'

/** Of the room for the conversation: with more than this something must go. */
const full = 0.65
/** With less room than this in characters, nothing that can be left out would help. */
const leastRoom = 6_000
/** What the provider refused without numbers is so much larger than it takes, at least. */
const refusedBy = 1.05

const summaryPart = 0.1
const maxFacts = 24_000
const maxTranscript = 60_000

const readRows = async (deps: Deps, { key: { workspace_id, session_id } }: RunState) => {
  // What is stored is what the API gave, or what we made of its types.
  const rows = await listMessages(deps.db, workspace_id, session_id) as SentRow[]
  const answers = rows.filter(({ role }) => role === 'assistant').map(({ id }) => id)
  return { rows, calls: await listCallGists(deps.db, workspace_id, session_id, answers) }
}

/** The charge of the notes is recorded by itself: the step before stays measured as it was. */
const measuredOf = ({ weight: { tokens, characters } }: RunState) => ({ tokens, characters })

const keepSent = async (deps: Deps, state: RunState, { replaced }: ContextPlan): Promise<void> => {
  await commit(deps, state, { status: 'running', replaced, measured: measuredOf(state) }, [])
}

const tokensAfter = (rows: readonly SentRow[], context: Context): number =>
  toTokens(context.prefix + rows.reduce((sum, { content }) => sum + sizeOfBlocks(content), 0), context)

const writeSummary = async (deps: Deps, state: RunState, { rows, dropped }: ContextPlan, room: number) => {
  const notes = await writeNotes(deps, state, dropped, Math.min(maxTranscript, Math.max(leastRoom, room)))
  const forFacts = Math.min(maxFacts, Math.max(leastRoom / 2, room * summaryPart))
  const { facts, context } = await readFacts(deps, state, rows[0]?.seq ?? state.nextSeq, forFacts)
  const texts = [{ type: 'text' as const, text: facts }, ...(notes ? [notes] : [])]
  return context === null ? texts : [...texts, { type: 'text' as const, text: context }]
}

const compact = async (deps: Deps, state: RunState, plan: ContextPlan, context: Context, room: number) => {
  const content = await writeSummary(deps, state, plan, room)
  const row = {
    id: uuid(), seq: state.nextSeq, role: 'user' as const, content, search_text: '', stop_reason: null
  }
  const compaction: Compaction = {
    tokens_before: toTokens(context.prefix + context.conversation, context),
    tokens_after: tokensAfter([row, ...plan.rows], context),
    window: context.window
  }
  const message: MessageRow = { ...row, compaction }
  const since = plan.rows[0]?.seq ?? row.seq
  deps.failpoint('compaction.before_commit')
  await commit(deps, state, {
    status: 'running', messages: [message], replaced: plan.replaced, since, measured: measuredOf(state)
  }, [{ event: 'compacted', data: { message_id: row.id, ...compaction } }])
  deps.failpoint('compaction.after_commit')
  return [{ ...row, compaction }, ...plan.rows]
}

const shrink = async (deps: Deps, state: RunState, context: Context, room: number): Promise<boolean> => {
  const { rows, calls } = await readRows(deps, state)
  const plan = planContext(rows, calls, room)
  const compacts = plan.dropped.length > 0
  if (!compacts && plan.replaced.length === 0) return false
  if (!compacts) await keepSent(deps, state, plan)
  const isSearched = deps.llm.of(state.key.workspace_id).searchesTools(state.model)
  const sent = compacts ? await compact(deps, state, plan, context, room) : plan.rows
  state.messages = toMessages(sent, state.modelSince, isSearched)
  // As a process that loads the session finds them: those of what is sent.
  state.tools = { found: [], looked: 0 }
  // Up to where the last request is what it was, the provider may have it cached.
  state.weight.unchanged = toMessages(sent.slice(0, plan.unchanged), state.modelSince, isSearched).length
  weighContext(deps, state)
  return true
}

/** Whether the model is in the middle of an answer, which it must be sent as it was. */
const isPaused = ({ pauses }: RunState): boolean => pauses > 0

/**
 * Makes the conversation fit into the model's window before it is sent. What is left out is stored with the session, so
 * that every process sends the same bytes. A conversation that fits costs nothing but to be weighed.
 */
export const fitContext = async (deps: Deps, state: RunState): Promise<void> => {
  const context = weighContext(deps, state)
  const { conversation, room } = context
  if (conversation <= room * full || room < leastRoom || isPaused(state)) return
  await shrink(deps, state, context, room)
}

/** @returns whether so much of the window is used that a shorter conversation would help */
export const isHeavy = (deps: Deps, state: RunState): boolean => {
  const { conversation, room } = weighContext(deps, state)
  return conversation > room * full / 2
}

/**
 * Makes a conversation shorter that the provider has refused: whatever we had counted, it was too long.
 * @returns false when nothing can be left out
 */
export const fitRefused = async (deps: Deps, state: RunState, { known }: ContextExceeded): Promise<boolean> => {
  if (isPaused(state)) return false
  const before = weighContext(deps, state)
  const window = Math.min(known.window ?? before.window, before.window)
  if (window < before.window) deps.llm.of(state.key.workspace_id).learnWindow(state.model, window)
  state.weight.tokens = Math.ceil(Math.max(known.tokens ?? 0, window * refusedBy))
  state.weight.characters = state.weight.sent
  const context = weighContext(deps, state)
  return shrink(deps, state, context, Math.max(leastRoom, Math.min(context.room, context.conversation * 0.8)))
}
