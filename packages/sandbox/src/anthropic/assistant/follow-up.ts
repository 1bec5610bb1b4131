import { itemsOf, type Call, type Conversation } from './conversation.js'
import { inEnglish } from './foreign.js'
import { isRecord } from '../validate/shape.js'
import { mentions, text } from './skills/named.js'
import { phrase } from './speech/index.js'
import { requestedKinds } from './words.js'

/** A message as it is to be read, or what answers it at once. */
export type Meant = { message: string } | { answer: string }

/** What a person may exchange in an earlier request: "and last week?", "by region", "and merged?". */
const slots = [
  new RegExp('\\b(?:(?:in|of|for|during) )?(?:the )?(?:this|last|past|previous) ' +
    '(?:\\w+ )?(?:day|week|month|quarter|year)s?\\b|\\byesterday\\b|\\btoday\\b|\\b(?:in |of |for )?' +
    '(?:january|february|march|april|june|july|august|september|october|november|december)(?: \\d{4})?\\b|' +
    '\\bin may\\b|\\bq[1-4]\\b', 'i'),
  /\b(?:by|per) (?:cloud )?(?:account|region|service|team)s?\b/i,
  /\b(?:open|merged|closed)\b/i
]
const lead = new RegExp('^\\W*(?:and|what about|how about|now|but|then|only|just|same|the same|' +
  'do (?:that|the same|it)|show (?:me )?(?:it|that|them|the same)|also|no|rather|make it|sorry)(?![\\w-])[\\s,:]*', 'i')
const tail = /[\s,]*\b(?:too|as well|instead|please|again)\b[\s.!?]*$/i
const comparing = /^\W*(?:and )?(?:compared?|versus|vs)\b/i
const newCount = /^(?:to |rather )?(\d{1,4})(?: (?:tasks|copies|instances))?\W*$/i
const isScaling = /\bscale\b/i
const pronoun = /\b(?:it|that one|this one|this service|that service|that)\b/i
const preposition = /^\W*(?:for|of|in|with|to|on|about|is)\s+(?:the\s+)?/i
/** Such words name nothing: they ask for something new. */
const asksAnew = /\b(?:what|which|who|how|why|when|where|is|are|do|does|can|show|list|scale|deploy|write|create)\b/i

export const isThanks = (message: string): boolean =>
  /^\W*(thanks|thank you|thx|ty|cheers|great|perfect|nice|cool|ok|okay|good)\b[^?]{0,30}$/i.test(message)

const isYes = (message: string): boolean =>
  /^\W*(yes|yep|yeah|sure|ok|okay|do it|go ahead|approved?|confirm(ed)?)( it| that| please)?\W*$/i.test(message)

/** The names of services, functions and the like that the assistant has seen in the conversation. */
const namesSeen = ({ calls }: Conversation): string[] => [...new Set(calls.flatMap(({ data }) =>
  (itemsOf(data) ?? []).map(({ name }) => text(name))))].filter((name) => name.length > 1)
  .toSorted((a, b) => b.length - a.length)

const namedIn = (message: string, names: string[]): string[] => names.filter((name) => mentions(message, name))

const replaceName = (message: string, name: string, by: string): string =>
  message.replaceAll(new RegExp(`(?<![\\w-])${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`, 'gi'), by)

/** "And of api?": the earlier request, of something else. */
const aboutAnother = (rest: string, base: string, names: string[]): string | undefined => {
  const [other = ''] = namedIn(rest, names)
  const word = other || (/^[\w.-]+$/.exec(rest.replace(preposition, '').replace(/\W+$/, ''))?.[0] ?? '')
  if (word === '' || (other === '' && asksAnew.test(word))) return undefined
  const before = namedIn(base, names)
  if (before.length === 0) return other === '' ? undefined : `${base.replace(/\W+$/, '')} of ${other}`
  return before.reduce((message, name, index) => index === 0 ? replaceName(message, name, word) : message, base)
}

const exchanged = (rest: string, base: string): string | undefined => {
  const slot = slots.find((form) => form.test(rest))
  const found = slot?.exec(rest)?.[0]
  if (!slot || found === undefined) return undefined
  const [start] = rest.replace(slot, '').replace(/\W+/g, ' ').trim().split(' ')
  // What has more in it than the slot is a request of its own.
  if (start !== '' && asksAnew.test(rest.replace(slot, ''))) return undefined
  return slot.test(base) ? base.replace(slot, found) : `${base.replace(/[\s.?!]+$/, '')} ${found}`
}

/** @returns the request with this number, in place of its last one or as the answer to how many */
const withCount = (base: string, count: string): string => /\b\d{1,4}\b/.test(base)
  ? base.replace(/\b\d{1,4}\b(?!.*\b\d{1,4}\b)/, count)
  : `${base.replace(/[\s.?!]+$/, '')} to ${count}`

/** "Only those of web", "and last week?", "no, to 5": the earlier request with a part of it exchanged. */
const changed = (message: string, base: string, names: string[]): string | undefined => {
  let rest = message.replace(tail, '').trim()
  while (lead.test(rest)) rest = rest.replace(lead, '')
  const isLed = rest !== message.replace(tail, '').trim() || tail.test(message)
  const count = newCount.exec(rest)?.[1]
  if (count !== undefined && isScaling.test(base)) return withCount(base, count)
  if (comparing.test(message) && !asksAnew.test(rest)) return `${base.replace(/[\s.?!]+$/, '')} ${rest}`
  const slot = exchanged(rest, base)
  if (slot !== undefined) return slot
  if (!isLed || rest.split(/\s+/).length > 5) return undefined
  if (/^\W*(?:the )?errors?\W*$/i.test(rest)) return base.replace(/\blog(s| lines)?\b/i, 'errors')
  return asksAnew.test(rest.replace(preposition, '')) ? undefined : aboutAnother(rest, base, names)
}

const isWell = ({ health }: Record<string, unknown>): boolean =>
  ['healthy', 'stopped', 'inactive', ''].includes(text(health))

const why = (base: string, { calls }: Conversation, names: string[]): Meant => {
  if (/\b(cost|spen[dt]|bill|pay)/i.test(base)) return { message: `why did costs change: ${base}` }
  if (/\bbuild/i.test(base)) return { message: 'why did the last build fail?' }
  const services = calls.filter(({ name }) => name === 'listClusterServices').flatMap(({ data }) => itemsOf(data) ?? [])
  const ill = [...new Set(services.filter((one) => !isWell(one)).map(({ name }) => text(name)))]
  const [own, ...others] = namedIn(base, names)
  const [service, ...more] = own === undefined ? ill : others.length === 0 ? [own] : []
  return service !== undefined && more.length === 0
    ? { message: `show the last errors of ${service}` }
    : { answer: phrase`Of what do you want the reason: the costs, a build that failed, or the errors of a service?` }
}

const writes = new Set(['scaleService', 'deployService'])
const nameOfId = (id: unknown): string => text(id).split('~').at(-1) ?? ''

const wasDropped = ({ text: result }: Call): boolean => /moved on|supersed/i.test(result)
const wasNotMade = (call: Call): boolean => call.isError || wasDropped(call) ||
  /declined|rejected|expired|not answered/i.test(call.text)

/** A "yes" decides nothing, that is for the card's buttons, but it closed the card: the same is asked again. */
const again = ({ calls }: Conversation, base: string | undefined): Meant | undefined => {
  const last = calls.findLast(({ name, isCurrent }) => writes.has(name) && !isCurrent)
  return base !== undefined && last && wasDropped(last) ? { message: base } : undefined
}

/** What was done last is undone: by the opposite change, which is asked about like any other. */
const undo = ({ calls }: Conversation): Meant | undefined => {
  const last: Call | undefined = calls.findLast(({ name, isCurrent }) => writes.has(name) && !isCurrent)
  if (!last) return undefined
  const service = nameOfId(last.input.service)
  const before = isRecord(last.data) ? last.data.previous_count : undefined
  if (wasNotMade(last)) return { answer: phrase`The last change was not made, so there is nothing to undo.` }
  if (last.name === 'deployService') return { message: `roll back ${service}` }
  return typeof before === 'number' ? { message: `set ${service} to ${before} tasks` } : undefined
}

const asksWhy = /^\W*(but |and )?(why|how come|why (is|was) (that|this|it)( so)?)\W*$/i
const asksUndo = new RegExp('^\\W*(please )?(undo|revert|roll ?back|take)( (that|it|this|the (last )?change))?' +
  '( back)?( again)?( please)?\\W*$', 'i')

/** A message with what it leaves out, from those before it: the earlier requests, already completed. */
export function complete (own: string, base: string | undefined, conversation: Conversation): Meant {
  if (asksUndo.test(own)) return undo(conversation) ?? { message: own }
  if (base === undefined) {
    return asksWhy.test(own)
      ? { answer: phrase`Of what do you want the reason: the costs, a build that failed, or the errors of a service?` }
      : { message: own }
  }
  const names = namesSeen(conversation)
  if (asksWhy.test(own)) return why(base, conversation, names)
  const other = changed(own, base, names)
  if (other !== undefined) return { message: other }
  const [name, ...more] = namedIn(base, names)
  const isPronoun = pronoun.test(own) && namedIn(own, names).length === 0 &&
    (requestedKinds(own) !== undefined || /\b(?:restart|reboot|stop|start)\b/i.test(own))
  return isPronoun && name !== undefined && more.length === 0
    ? { message: own.replace(pronoun, name) }
    : { message: own }
}

/** @returns the message in English, with what it leaves out */
export function meant (conversation: Conversation): Meant {
  const { message, earlier } = conversation
  let base: string | undefined
  let hadQuestion = false
  for (const { text: request, hadQuestion: asked } of earlier) {
    const found = resolve(request, base, hadQuestion, conversation)
    base = 'message' in found && !isSmallTalk(found.message) ? found.message : base
    hadQuestion = asked
  }
  return resolve(message, base, hadQuestion, conversation)
}

export const isRefusal = (message: string): boolean =>
  /^\s*(no|nope|nothing|cancel|never ?mind|stop|forget it)\b[\s.!]*$/i.test(message)

const isSmallTalk = (message: string): boolean => isThanks(message) || isRefusal(message) || isYes(message)

const resolve = (
  request: string, base: string | undefined, hadQuestion: boolean, conversation: Conversation
): Meant => {
  const own = inEnglish(request)
  if (isYes(own)) return again(conversation, base) ?? { message: own }
  if (isSmallTalk(own)) return { message: own }
  // The answer to a question: "scale web", "To how many?", "4".
  const isAnswer = hadQuestion && base !== undefined && requestedKinds(own) === undefined && !asksWhy.test(own)
  return isAnswer ? { message: `${base} ${own}` } : complete(own, base, conversation)
}
