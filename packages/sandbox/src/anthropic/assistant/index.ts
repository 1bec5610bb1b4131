import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import type { Turn, TurnBlock } from '../turn.js'
import { isContentRequest, writeContent } from './content-writer.js'
import { readConversation, type Call, type Conversation } from './conversation.js'
import { findConversation, listStarts, type Guide } from './guided/guide.js'
import { explainFailure } from './guided/outcome.js'
import { follow, isPartial, type Reply, type Wanted } from './guided/steps.js'
import { isNotesRequest, notesOf } from './notes.js'
import { isSpecRequest, writeSection } from './spec-writer.js'
import { fill } from './structured.js'
import { isTitleRequest, makeTitle } from './title.js'

/**
 * What answers without a model: fixed conversations over the tools of the request. It understands no language: a
 * message is one of their forms, word for word, or it gets one line that says so.
 */
export function think (request: MessageCreateParamsBase): Turn {
  if (isTitleRequest(request)) return say(makeTitle(request))
  if (isNotesRequest(request)) return say(notesOf(request))
  if (isSpecRequest(request)) return say(JSON.stringify(writeSection(request)))
  if (isContentRequest(request)) return say(JSON.stringify(writeContent(request)))
  const conversation = readConversation(request)
  const format = request.output_config?.format
  if (format) return say(JSON.stringify(fill(format.schema, conversation.message)))
  return proceed(request, conversation)
}

const say = (text: string): Turn => ({ content: [{ type: 'text', text }] })

function proceed (request: MessageCreateParamsBase, conversation: Conversation): Turn {
  const names = new Set(request.tool_choice?.type === 'none' ? [] : readToolNames(request))
  const { guide, steps } = findConversation(conversation)
  const { ended } = conversation
  if (ended.length > 0) return say(ended.map((call) => reportEnded(guide, call)).join('\n\n'))
  const current = conversation.calls.filter(({ isCurrent }) => isCurrent)
  if (!steps || names.size === 0) {
    const forced = current.length === 0 ? forceCall(request, conversation) : undefined
    return forced ? act([forced], request, guide) : say(admit(guide, names))
  }
  const next = follow(steps, names, current)
  if ('reply' in next) return say(render(guide, next.reply, next.calls))
  if ('calls' in next) return act(next.calls, request, guide, current.length === 0)
  if ('failed' in next) return say(explainFailure(guide.say, next.failed))
  return say(guide.say(`The tool ${next.missing} is not available to you here.`,
    `Das Tool ${next.missing} steht dir hier nicht zur Verfügung.`))
}

/** What became of a write that had waited for approval while the conversation went on. */
const reportEnded = ({ say: choose }: Guide, call: Call): string => call.isError
  ? explainFailure(choose, call)
  : choose(`What waited for approval ran: ${call.name} succeeded.`,
    `Was auf Freigabe gewartet hat, ist gelaufen: ${call.name} war erfolgreich.`)

const readToolNames = ({ tools }: MessageCreateParamsBase): string[] =>
  (tools ?? []).flatMap((tool) => 'input_schema' in tool ? [tool.name] : [])

/** The one line for everything that is none of the conversations. */
const admit = (guide: Guide, names: ReadonlySet<string>): string => names.size === 0
  ? guide.say('No model is connected, so I cannot answer this.', 'Es ist kein Modell verbunden, darum kann ich das nicht beantworten.')
  : withButtons(guide.say(
    'No model is connected, so I can only do the following. For everything else, [connect a model](/settings/model).',
    'Es ist kein Modell verbunden, darum kann ich nur Folgendes. Für alles andere [verbinde ein Modell](/settings/model).'),
  listStarts(guide))

/** A list of code at the end of an answer: a client shows it as buttons, a person types one of them. */
const withButtons = (text: string, next: readonly string[]): string =>
  next.length === 0 ? text : `${text}\n\n${next.map((one) => `- \`${one.replaceAll('`', '')}\``).join('\n')}`

function render (guide: Guide, { text, next = [] }: Reply, calls: readonly Call[]): string {
  const partial = calls.some(isPartial)
    ? `\n\n${guide.say('This is not everything: a list goes on, or one source did not answer.',
      'Das ist nicht alles: Eine Liste geht weiter, oder eine Quelle hat nicht geantwortet.')}`
    : ''
  const citations = [...new Set(calls.map(({ citation }) => citation))].filter(Boolean).join(' ')
  // A report cites each line, and nobody is there to press a button.
  return citations === ''
    ? withButtons(`${text}${partial}`, next)
    : `${text}${partial}`.replace(/(?<=\S)([.:]?)$/gm, ` ${citations}$1`)
}

function forceCall ({ tool_choice: choice, tools }: MessageCreateParamsBase, { message }: Conversation) {
  if (choice?.type !== 'tool' && choice?.type !== 'any') return undefined
  const own = (tools ?? []).flatMap((tool) => 'input_schema' in tool ? [tool] : [])
  const tool = choice.type === 'tool' ? own.find(({ name }) => name === choice.name) : own[0]
  const input = fill(tool?.input_schema, message)
  return tool && typeof input === 'object' && input ? { name: tool.name, input: { ...input } } : undefined
}

function act (next: readonly Wanted[], request: MessageCreateParamsBase, guide: Guide, isFirst = true): Turn {
  const { tool_choice: choice, thinking } = request
  const isOneByOne = choice && 'disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use
  const calls = isOneByOne ? next.slice(0, 1) : next
  const text = announce(calls, guide, isFirst)
  const content: TurnBlock[] = calls.map(({ name, input }) => ({ type: 'tool_use', name, input }))
  if (text) content.unshift({ type: 'text', text })
  if (thinking?.type === 'adaptive' || thinking?.type === 'enabled') {
    content.unshift({ type: 'thinking', thinking: `Next: ${calls.map(({ name }) => name).join(', ')}.` })
  }
  return { content }
}

const announce = (calls: readonly Wanted[], { say: choose }: Guide, isFirst: boolean): string => {
  const writes = calls.filter(({ plan }) => plan !== undefined)
  if (writes.length === 0) return isFirst ? choose('Let me look.', 'Ich sehe nach.') : ''
  const plans = writes.map(({ plan }) => plan).join(choose(' and ', ' und '))
  const asked = choose(`I would like to ${plans}. It runs once you approve it.`,
    `Ich möchte ${plans}. Es läuft, sobald du es freigibst.`)
  return [...writes.map(({ intro = '' }) => intro), asked].filter(Boolean).join('\n\n')
}
