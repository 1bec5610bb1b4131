import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages'
import type { FastifyInstance } from 'fastify'
import type { CallRecord } from '../../../../db/agent/calls.js'
import type { RunKey } from '../../../../db/agent/commit-run.js'
import type { PreferenceRow } from '../../../../db/agent/preferences.js'
import type { RunKind, RunStatus } from '../../../../db/agent/tables.js'
import type { LeasedRow } from '../../../../db/durable/leases.js'
import type { UsageSum } from '../../../../db/agent/runs.js'
import { StringBuilder } from '../../../../lib/llm/string-builder.js'
import type { Principal } from '../../../../lib/security/principal.js'
import type { StepOf } from '../../../../schemas/agent/requirements.js'
import type { OwnThinking } from '../../../../schemas/agent/models.js'
import type { Channel } from '../../../../lib/streams/channel.js'

/** What the agent's functions take of the application. */
export type Deps = Pick<FastifyInstance,
  'db' | 'database' | 'runBatches' | 'projectLookUps' | 'llm' | 'tools' | 'streams' | 'config' | 'log' | 'failpoint' |
  'home' | 'telemetry' | 'workspaces' | 'policies' | 'engine' | 'unnumbered' | 'jobs'>

/** Whether a step leaves more to do here. */
export type Advance = 'go' | 'stop'

/** A call of the run, in memory: the row, or what will be it after the next commit; and what a person decided. */
export type OpenCall = Pick<CallRecord, 'id' | 'tool_use_id' | 'name' | 'effect' | 'input' | 'effective_input' |
  'input_digest' | 'tool_version' | 'status' | 'decided_by' | 'idempotency_key' | 'claim_epoch' | 'result_model' |
  'is_error' | 'step' | 'ordinal'> & Decision

/** The newest question about a call, and what a person said to it. */
interface Decision {
  question?: string
  /** Its target; for the record. */
  target?: string | null
  reason?: string | null
  changes?: string | null
  edited?: boolean
  /** Where it stands in the plan of steps with which it was decided. */
  steps?: StepOf | null
}

export interface PartialText { messageId: string, text: StringBuilder }

/** @returns the text of a model call that has said nothing yet; `messageId` is empty where none is under way */
export const partialOf = (messageId: string): PartialText => ({ messageId, text: new StringBuilder() })

/** How much the session's requests weigh. */
export interface Weight {
  /** Of the last request that the provider has counted; 0 = none yet. */
  tokens: number
  characters: number
  /** Characters of the request that is sent next, or was sent last. */
  sent: number
  /** Messages that the next request has in common with an earlier one, where others are not what they were; else 0. */
  unchanged: number
}

/** A run while this process holds its lease. Only its holder writes the session, so memory and rows agree. */
export interface RunState {
  kind: RunKind
  /** As of the last commit. */
  status: RunStatus
  /** The code of the error that ended it. */
  error: string | null
  takenOver: boolean
  /** A run that a trigger set off proposed its call; of one that was loaded, rows say it. */
  triggered: boolean
  /** What set it off when no person did: it only reads, and ends in a report. */
  firing: string | null
  key: RunKey
  /** The same run, as the runner of durable work names it. */
  row: LeasedRow & { attempts: number }
  principal: Principal
  channel: Channel
  /** Aborts model calls and reads; the reason says why. */
  abort: AbortController
  /** Why the run shall end; null until a cancel is requested. */
  cancelled: string | null
  /** Text of the model call under way. */
  partial: PartialText
  /** An earlier holder of the run may have sent text of the model call that comes next. */
  repeats: boolean
  model: string
  /** As the person has chosen it for the session. */
  thinking: OwnThinking
  system: string
  title: string | null
  messages: MessageParam[]
  /** Tools that were found in this conversation, and how many of its messages were looked through for them. */
  tools: { found: string[], looked: number }
  /** Number of the first message to the session's present model. */
  modelSince: number
  weight: Weight
  /** What is sent of the conversation's files, by their ids, once it has been. */
  attachments: ReadonlyMap<string, ContentBlockParam[]>
  /** The model's server has refused a request with them. */
  withoutFiles: boolean
  nextSeq: number
  step: number
  /** Calls of the last assistant message, until their results are a message. */
  calls: OpenCall[]
  /** The run was parked: the model knows of its calls that they wait, and other messages have followed theirs. */
  resumed: boolean
  /** How often the model made each call, by its key, to stop repetitions; digests of the plans that were rejected. */
  seen: ReadonlyMap<string, number>
  rejected: ReadonlySet<string>
  toolCalls: number
  /** Turns of the model that ended with `pause_turn`, since the last that did not; an empty one counts for more. */
  pauses: number
  usage: UsageSum
  preferences: PreferenceRow[]
  budget: { run: number, session: number, sessionSpent: number, refused: boolean }
  /** Milliseconds the run was active before this process took it. */
  activeBefore: number
  startedAt: number
}
