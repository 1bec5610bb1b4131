import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import type { Turn, TurnBlock } from '../turn.js'
import { readClauses } from './clauses.js'
import { isContentRequest, writeContent } from './content-writer.js'
import { readConversation, type Call, type Conversation } from './conversation.js'
import type { PlannedCall } from './entities.js'
import { isRefusal, isThanks, meant } from './follow-up.js'
import { inEnglish, languageOf } from './foreign.js'
import { introduce, whoIAm } from './introduction.js'
import { planClauses, type Plan } from './plan.js'
import { isNotesRequest, notesOf } from './notes.js'
import { plain, readable } from './render.js'
import { cited, report, reportFailure, reportWrite } from './report.js'
import { describeScaling } from './scaling.js'
import { isEnglish, phrase, speak } from './speech/index.js'
import { useSkill, type Next } from './skills/index.js'
import { isSpecRequest, writeSection } from './spec-writer.js'
import { corrected } from './spelling.js'
import { fill } from './structured.js'
import { isTitleRequest, titleOf } from './title.js'
import { phraseOf, toolsOf, type Tool } from './tools.js'
import { requestedKinds } from './words.js'

const maxCalls = 40

/** The scripted assistant: its next text or calls in a conversation. It states that it is no language model. */
export function think (request: MessageCreateParamsBase): Turn {
  if (isTitleRequest(request)) return say(titleOf(request))
  if (isNotesRequest(request)) return say(notesOf(request))
  if (isSpecRequest(request)) return say(JSON.stringify(writeSection(request)))
  if (isContentRequest(request)) return say(JSON.stringify(writeContent(request)))
  const conversation = readConversation(request)
  const format = request.output_config?.format
  if (format) return say(JSON.stringify(fill(format.schema, conversation.message)))
  return speak(languageOf(messagesOf(conversation)), () => proceed(request, conversation))
}

/** What the person said, from the last message back: "4" is of no language by itself. */
const messagesOf = ({ message, earlier }: Conversation): string[] =>
  [message, ...earlier.map(({ text }) => text).toReversed()]

function proceed (request: MessageCreateParamsBase, conversation: Conversation): Turn {
  const tools = request.tool_choice?.type === 'none' ? [] : toolsOf(request)
  const found = meant(conversation)
  if ('answer' in found) return say(conversation.isFirstAnswer ? `${whoIAm()}\n\n${found.answer}` : found.answer)
  const message = corrected(found.message)
  const skilled = useSkill(message, tools, conversation)
  if (skilled) return bySkill(skilled, request, conversation)
  const plans = planClauses(readClauses(message, tools), tools, conversation)
  const next = nextCalls(plans, conversation)
  if (next.length > 0) return act(next, request, conversation)
  const search = searchCall(plans, tools, conversation)
  if (search) return act([search], request, conversation)
  const forced = forcedCall(request, tools, conversation)
  if (forced) return act([forced], request, conversation)
  return say(answer(plans, tools, conversation))
}

function bySkill (next: Next, request: MessageCreateParamsBase, conversation: Conversation): Turn {
  if ('plan' in next) return act(next.calls, request, conversation, next.plan)
  const text = 'text' in next
    ? cited(next.text, next.calls)
    : 'failed' in next ? reportFailure(next.tool, next.failed) : reportWrite(next.tool, next.wrote)
  return say(conversation.isFirstAnswer ? `${whoIAm()}\n\n${text}` : text)
}

/** Looks for tools that it was not given, once for a message that asks for something which none of its tools does. */
function searchCall (plans: Plan[], tools: Tool[], conversation: Conversation): PlannedCall | undefined {
  const { calls } = conversation
  const message = inEnglish(conversation.message)
  const tool = tools.find(({ name }) => name === 'findTools')
  const hasLooked = calls.some(({ name, isCurrent }) => isCurrent && name === tool?.name)
  const asks = requestedKinds(message) !== undefined && !isRefusal(message)
  if (!tool || plans.length > 0 || !asks || hasLooked) return undefined
  return { tool, input: { query: message.slice(0, 500) } }
}

const say = (text: string): Turn => ({ content: [{ type: 'text', text }] })

const callKey = (name: string, input: object) =>
  name + JSON.stringify(Object.entries(input).toSorted(([a], [b]) => a < b ? -1 : 1))

/** The calls to make now: first the missing lookups, then the requested calls; none twice. */
function nextCalls (plans: Plan[], { calls }: Conversation): PlannedCall[] {
  const current = calls.filter(({ isCurrent }) => isCurrent)
  if (current.length >= maxCalls) return []
  const made = new Set(current.map(({ name, input }) => callKey(name, input)))
  const open = (plan: Plan) => plan.state === 'calls' || plan.state === 'lookups'
    ? plan.calls.filter(({ tool, input }) => !made.has(callKey(tool.name, input)))
    : []
  const isBusy = plans.map((plan) => open(plan).length > 0)
  const barrier = plans.findIndex((plan, index) => plan.waits && isBusy.slice(0, index).includes(true))
  const active = barrier === -1 ? plans : plans.slice(0, barrier)
  const lookups = active.filter(({ state }) => state === 'lookups').flatMap(open)
  const wanted = lookups.length > 0 ? lookups : active.flatMap(open)
  return distinct(wanted).filter(({ tool }) => tool.isRead || !isExhausted(tool, active, current))
}

const distinct = (calls: PlannedCall[]) =>
  [...new Map(calls.map((call) => [callKey(call.tool.name, call.input), call])).values()]

// The arguments may change between two steps; a requested write is still sent only once.
function isExhausted (tool: Tool, plans: Plan[], current: Call[]) {
  const planned = plans.flatMap((plan) => plan.state === 'calls' ? plan.calls : []).filter((call) => call.tool === tool)
  return current.filter(({ name }) => name === tool.name).length >= planned.length
}

function forcedCall (request: MessageCreateParamsBase, tools: Tool[], { message }: Conversation) {
  const { tool_choice: choice, tools: raw } = request
  if (choice?.type !== 'tool' && choice?.type !== 'any') return undefined
  const tool = choice.type === 'tool' ? tools.find(({ name }) => name === choice.name) : tools[0]
  const schema = raw?.flatMap((one) => 'input_schema' in one && one.name === tool?.name ? [one.input_schema] : [])[0]
  const input = fill(schema, message)
  return tool && typeof input === 'object' && input ? { tool, input: { ...input } } : undefined
}

function act (next: PlannedCall[], request: MessageCreateParamsBase, conversation: Conversation, words = ''): Turn {
  const { tool_choice: choice, thinking } = request
  const isOneByOne = choice && 'disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use
  const calls = isOneByOne ? next.slice(0, 1) : next
  const text = announce(calls, conversation, words)
  const content: TurnBlock[] = calls.map(({ tool, input }) => ({ type: 'tool_use', name: tool.name, input }))
  if (text) content.unshift({ type: 'text', text })
  if (thinking?.type === 'adaptive' || thinking?.type === 'enabled') {
    const steps = calls.map(({ tool }) => phraseOf(tool)).join(', ')
    content.unshift({ type: 'thinking', thinking: `The message asks for: ${steps}.` })
  }
  return { content }
}

function announce (calls: PlannedCall[], { isFirstAnswer, calls: before }: Conversation, words: string) {
  const isFirstStep = !before.some(({ isCurrent }) => isCurrent)
  const writes = calls.filter(({ tool }) => !tool.isRead)
  const phrases = words === '' ? [...new Set(writes.map((call) => describeScaling(call) ?? describe(call)))] : [words]
  const plan = writes.length > 0
    ? phrase`I would like to ${phrases.join(phrase` and `)}. That changes something, so Steward asks you first.`
    : isFirstStep ? looking(calls) : ''
  return [isFirstAnswer ? whoIAm() : '', plan].filter(Boolean).join(' ')
}

/** The tools have English names only. */
const looking = (calls: PlannedCall[]): string => isEnglish()
  ? `Let me look (${[...new Set(calls.map(({ tool }) => phraseOf(tool)))].join(', ')}).`
  : phrase`Let me look.`

function describe ({ tool, input }: PlannedCall) {
  const values = Object.entries(input).map(([name, value]) =>
    `${name.replace(/_/g, ' ')}: ${plain(typeof value === 'object' ? JSON.stringify(value) : readable(String(value)))}`)
  return [phraseOf(tool), values.length > 0 ? `(${values.join(', ')})` : ''].filter(Boolean).join(' ')
}

function answer (plans: Plan[], tools: Tool[], conversation: Conversation) {
  if (plans.length === 0) return smallTalk(tools, conversation)
  const current = conversation.calls.filter(({ isCurrent }) => isCurrent)
  const made = new Map(current.map((call) => [callKey(call.name, call.input), call]))
  const text = report(plans, (tool, input) => made.get(callKey(tool.name, input))) || leftOver(current)
  return conversation.isFirstAnswer ? `${whoIAm()}\n\n${text}` : text
}

const leftOver = (calls: Call[]) => calls.length >= maxCalls
  ? phrase`That took more steps than I may take for one message, so I stopped.`
  : phrase`That is all I could do.`

function smallTalk (tools: Tool[], conversation: Conversation) {
  const message = inEnglish(conversation.message)
  if (isRefusal(message)) return phrase`All right, I did nothing.`
  return isThanks(message) ? phrase`You are welcome.` : introduce(tools, conversation.isFirstAnswer)
}
