import { itemsOf, type Call } from './conversation.js'
import { isRecord } from '../validate/shape.js'
import type { Plan } from './plan.js'
import { plain, renderBrief, renderList, renderResult } from './render.js'
import { reportScaling } from './scaling.js'
import { isEnglish, phrase } from './speech/index.js'
import { phraseOf, type Property, type Tool } from './tools.js'
import { past, plural } from './words.js'

type CallOf = (tool: Tool, input: Record<string, unknown>) => Call | undefined

/** The outcome of each part of a message, in Markdown; questions come last. */
export function report (plans: Plan[], callOf: CallOf): string {
  const texts = plans.map((plan) => reportPlan(plan, callOf)).filter(Boolean)
  return texts.toSorted((a, b) => Number(a.endsWith('?')) - Number(b.endsWith('?'))).join('\n\n')
}

function reportPlan (plan: Plan, callOf: CallOf): string {
  switch (plan.state) {
    case 'calls': return reportCalls(plan, callOf)
    case 'lookups': return ''
    case 'missing': return askFor(plan.tool, plan.properties)
    case 'unclear': return severalFit(plan)
    case 'unknown': return reportUnknown(plan)
    case 'failed': return `I could not look up the ${plural(plan.noun)}. ${explain(plan.failures[0], 'look them up')}`
  }
}

const severalFit = ({ noun, choices }: Plan & { state: 'unclear' }) =>
  phrase`There are several that fit. Which ${noun} do you mean: ${plain(listed(choices))}?`

const listed = (names: string[]) => names.slice(0, 12).join(', ') + (names.length > 12 ? ', …' : '')

function reportUnknown ({ tool, noun, wanted, choices }: Plan & { state: 'unknown' }) {
  const action = phraseOf(tool)
  if (wanted.length === 0) {
    return choices.length > 0
      ? `To ${action} I need to know which ${noun}: ${plain(listed(choices))}?`
      : `To ${action} I need the ${noun}. Which one is it?`
  }
  const named = plain(wanted.join(' '))
  if (choices.length === 0) return phrase`I found no ${noun} called "${named}", nor any other that you can see.`
  return phrase`I found no ${noun} called "${named}". There are: ${plain(listed(choices))}. Which one do you mean?`
}

function askFor (tool: Tool, properties: Property[]) {
  const parts = properties.map(({ words, description, options }) => {
    const choices = options.length > 0 ? `one of ${options.join(', ')}` : ''
    const hint = [description.replace(/\.$/, ''), choices].filter(Boolean).join('; ')
    return `**${words.join(' ')}**${hint ? ` (${hint})` : ''}`
  })
  return `To ${phraseOf(tool)} I still need: ${parts.join(', ')}. What should I use?`
}

function reportCalls ({ calls, subject }: Plan & { state: 'calls' }, callOf: CallOf) {
  const made = calls.flatMap(({ tool, input }) => {
    const call = callOf(tool, input)
    return call ? [{ tool, call }] : []
  })
  if (made.length === 0) return calls.length === 0 ? 'There is nothing to show.' : ''
  return [...new Set(made.map(({ tool }) => tool))].map((tool) => {
    const own = made.filter((one) => one.tool === tool).map(({ call }) => call)
    const merged = mergedList(tool, own)
    return merged === undefined
      ? own.map((call) => cited(reportCall(tool, call, subject), [call])).join('\n\n')
      : cited(merged, own)
  }).join('\n\n')
}

/** @returns the text with the sources of each line, where a report is written */
export function cited (text: string, calls: Call[]) {
  const sources = [...new Set(calls.map(({ citation }) => citation))].filter(Boolean).join(' ')
  return sources === '' ? text : text.replace(/(?<=\S)([.:]?)$/gm, ` ${sources}$1`)
}

// Lists of the same kind from several parents become one list.
function mergedList (tool: Tool, calls: Call[]) {
  const lists = calls.map(({ isError, data }) => isError ? undefined : itemsOf(data))
  if (calls.length < 2 || lists.some((items) => !items)) return undefined
  const last = calls.at(-1)?.data
  return renderList(lists.flatMap((items) => items ?? []), nounOf(tool), last)
}

const nounOf = ({ nouns }: Tool) => nouns.at(-1) ?? 'result'

function reportCall (tool: Tool, call: Call, subject: string) {
  const action = [phraseOf(tool), subject && `(${plain(subject)})`].filter(Boolean).join(' ')
  if (call.isError || isProblem(call.data)) return explain(call, action)
  if (tool.isRead) return renderResult(call.data, nounOf(tool))
  const scaled = reportScaling(call)
  if (scaled !== undefined) return scaled
  const preface = typeof call.data === 'string' ? '' : call.text.split(/[[{]/)[0]?.trim() ?? ''
  const note = preface && `${plain(preface)} `
  const details = renderBrief(call.data)
  const target = [tool.nounWords.join(' '), subject && `**${plain(subject)}**`].filter(Boolean).join(' ')
  if (!isEnglish()) return phrase`Done: ${subject === '' ? action : `**${plain(subject)}**`}.`
  return `Done: ${note}I ${past(tool.verb)} ${target}${details ? ` — ${details}` : ''}.`.replace(/\.\.$/, '.')
}

/** Why a call did not work, in words. */
export const reportFailure = (tool: Tool, call: Call): string => explain(call, phraseOf(tool))

/** What became of a write, in words. */
export const reportWrite = (tool: Tool, call: Call): string =>
  reportCall(tool, call, isRecord(call.data) && typeof call.data.name === 'string' ? call.data.name : '')

const isProblem = (data: unknown) =>
  isRecord(data) && typeof data.status === 'number' && data.status >= 400 && 'title' in data

const unchanged = (): string => phrase`Nothing has changed.`

// The order matters: a refusal may quote anything in its reason.
const outcomes: [RegExp, (action: string) => string][] = [
  [/^\W*the user (declined|rejected|denied)|declined this action|"?rejected"?/i,
    (action) => `${phrase`You declined "${action}", so it was not run.`} ${unchanged()}`],
  [/outcome is unknown|do not repeat|^unknown$/i,
    (action) => phrase`It is not known whether "${action}" took effect. Please check before you try again.`],
  [/no answer within|(approval|confirmation|request) (has )?expired|^expired$|not answered/i,
    (action) => `${phrase`The approval of "${action}" expired before anyone decided.`} ${unchanged()}`],
  [/moved on|supersed/i, (action) => `${phrase`"${action}" was dropped because you went on.`} ${unchanged()}`],
  [/cancelled|canceled/i, (action) => phrase`"${action}" was cancelled before it ran.`],
  [/timed out/i, (action) => phrase`"${action}" took too long and was given up.`]
]

const reasons: Record<number, () => string> = {
  400: () => phrase`the request was not valid`,
  401: () => phrase`the credentials were refused`,
  403: () => phrase`you do not have the right to do that`,
  404: () => phrase`it does not exist, or you cannot see it`,
  409: () => phrase`it conflicts with the present state`,
  422: () => phrase`the request was not valid`,
  429: () => phrase`too many requests were made; try again a little later`
}

/** The reason of a failure, in plain words. */
function explain (call: Call | undefined, action: string): string {
  const problem = isRecord(call?.data) ? call.data : {}
  const text = typeof call?.data === 'string' ? call.data : ''
  const outcome = outcomes.find(([form]) => form.test(text || String(problem.code ?? '')))
  if (outcome) return withReason(outcome[1](action), text)
  const status = Number(problem.status)
  const why = reasons[status]?.() ?? (status >= 500 ? phrase`the other side failed` : phrase`it answered with an error`)
  const detail = String(problem.detail ?? problem.message ?? problem.title ?? text).trim()
  const code = problem.code ? ` (\`${String(problem.code).replaceAll('`', '')}\`)` : ''
  const sentence = phrase`"${action}" did not work: ${why}${code}.`
  return detail ? `${sentence} ${phrase`It said: ${plain(detail.slice(0, 300))}`}` : sentence
}

// "The user declined this action. Reason: too many": repeats the person's own words.
function withReason (sentence: string, text: string) {
  const reason = /reason:\s*(.+)$/is.exec(text)?.[1]?.trim()
  return reason ? `${sentence} ${phrase`Reason given: ${plain(reason.slice(0, 200))}`}` : sentence
}
