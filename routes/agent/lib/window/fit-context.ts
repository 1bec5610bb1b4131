import { v7 as uuid } from 'uuid'
import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages'
import type { MessageRow } from '../../../../db/agent/commit-run.js'
import { listCallGists } from '../../../../db/agent/context.js'
import { listMessages } from '../../../../db/agent/queue.js'
import type { ModelCallRow } from '../../../../db/model-spend.js'
import { BudgetExceeded } from '../../../../lib/llm/budget.js'
import type { ReservedCall } from '../../../../lib/llm/connected-model.js'
import { type ContextExceeded, ModelError } from '../../../../lib/llm/errors.js'
import { cutText } from '../../../../lib/streams/events.js'
import type { Compaction } from '../../../../schemas/agent/events.js'
import { messageOf } from '../../../../schemas/unknown.js'
import { settleUnused } from '../loop/call-model.js'
import { redactText } from '../../../../lib/security/redaction.js'
import { commit } from '../run/commit.js'
import { toMessages } from '../run/history.js'
import { watchModelCall } from '../run/record.js'
import type { Deps, RunState } from '../run/run-state.js'
import { readFacts } from './context-facts.js'
import { planContext, type ContextPlan, type SentRow, isLine } from './plan-context.js'
import { notesPrompt } from './prompt.js'
import { sizeOfBlocks, toTokens, weighContext, type Context } from './weigh-context.js'

const maxTokens = 1_500
const maxCharacters = 6_000
const resultCharacters = 300
const maxMs = 120_000

/** Notes are a block of their own in the summary, by which the next one finds them. */
const tag = '<notes>'

const isNotes = (block: ContentBlockParam): boolean => block.type === 'text' && block.text.startsWith(tag)

/** Neither the facts of a moment nor what stands for a result says anything of the conversation. */
const textOf = (block: ContentBlockParam): string => {
  if (block.type === 'text') return block.text.startsWith('<context>') ? '' : block.text
  if (block.type === 'tool_use') return `calls ${block.name} ${JSON.stringify(block.input).slice(0, resultCharacters)}`
  if (block.type !== 'tool_result' || typeof block.content !== 'string' || isLine(block.content)) return ''
  return `result ${block.content.slice(0, resultCharacters)}`
}

/** Of an earlier summary only its notes: its facts are read anew. */
const lineOf = ({ role, content, compaction }: SentRow): string => {
  const blocks = compaction ? content.filter(isNotes) : content
  return blocks.map(textOf).filter((text) => text !== '').map((text) => `${role}: ${text}`).join('\n')
}

const transcriptOf = (rows: readonly SentRow[], room: number): string =>
  redactText(cutText(rows.map(lineOf).filter((line) => line !== '').join('\n'), room).replaceAll('</', '<\\/'))

const toBlock = (text: string) => {
  const notes = redactText(text.replaceAll('<', '‹').trim()).slice(0, maxCharacters).toWellFormed()
  return notes === '' ? undefined : { type: 'text' as const, text: `${tag}\n${notes}\n</notes>` }
}

/** @returns what the model wrote at the last compaction, to be kept where it writes nothing now */
const earlierNotes = (dropped: readonly SentRow[]) => {
  const found = dropped.find(({ compaction }) => compaction)?.content.find(isNotes)
  return found?.type === 'text' ? { type: 'text' as const, text: found.text } : undefined
}

const noteTaker = ({ llm }: Deps, { key, model }: RunState): string => llm.smallModelOf(key.workspace_id) ?? model

/** @returns characters that the model of the notes reads at least: two a token, beside what it answers */
const roomOf = (deps: Deps, state: RunState): number =>
  (deps.llm.of(state.key.workspace_id).windowOf(noteTaker(deps, state)) - 2 * maxTokens) * 2

const requestOf = (deps: Deps, state: RunState, transcript: string, signal: AbortSignal): Promise<ReservedCall> =>
  deps.llm.reserve(state.key, {
    model: noteTaker(deps, state),
    system: notesPrompt,
    tools: [],
    max_tokens: maxTokens,
    messages: [{ role: 'user', content: `<transcript>\n${transcript}\n</transcript>\n\nWrite the notes.` }]
  }, signal)

const ask = async (deps: Deps, state: RunState, transcript: string, signal: AbortSignal): Promise<string> => {
  const call = await requestOf(deps, state, transcript, signal)
  const watch = watchModelCall(deps, state, call.model)
  let row: ModelCallRow | undefined
  try {
    const turn = await deps.llm.stream(call, {
      signal,
      idleMs: deps.config.limits.model_idle_ms,
      onText: watch.onText,
      onBroken: (charge) => { row = deps.llm.toRow(charge, call) }
    })
    row = deps.llm.toRow(turn, call)
    watch.report(row, turn, null)
    return turn.parts.map((part) => part.type === 'text' ? String(part.text) : '').join('')
  } catch (error) {
    watch.report(row, undefined, error)
    throw error
  } finally {
    await settleUnused(deps, state, call.hold, row)
  }
}

/** The facts by code are enough to go on: no failure of the model here ends the run. */
const isTolerable = (state: RunState, error: unknown): boolean => !state.abort.signal.aborted &&
  (error instanceof ModelError || error instanceof BudgetExceeded || (error as Error).name === 'TimeoutError')

/**
 * Asks the model, once, for notes of what it will not see any more.
 * @param room in characters
 * @returns its notes; those of the compaction before where it gives none
 */
const writeNotes = async (deps: Deps, state: RunState, dropped: readonly SentRow[], room: number) => {
  const signal = AbortSignal.any([state.abort.signal, AbortSignal.timeout(maxMs)])
  try {
    const transcript = transcriptOf(dropped, Math.min(room, roomOf(deps, state)))
    return toBlock(await ask(deps, state, transcript, signal)) ?? earlierNotes(dropped)
  } catch (error) {
    if (!isTolerable(state, error)) throw error
    deps.log.warn({ run_id: state.key.run_id, reason: messageOf(error) }, 'a conversation is compacted without notes')
    return earlierNotes(dropped)
  }
}

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
