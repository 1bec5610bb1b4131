import type { Line } from './lines.js'
import { commentHeading } from './marks.js'
import type { Head, MessageMark } from './messages.js'

const raw = String.raw
const role = '(?: \\((?:author|owner|member|contributor|collaborator|op)\\))?'
const name = raw`(?:\*\*|__)?\[?@?(\p{L}[\p{L}\d._-]{0,38}(?:\[bot\])?(?: \p{Lu}[\p{L}'’.-]{0,30}){0,3})` +
  raw`\]?(?:\([^)\s]{1,200}\))?(?:\*\*|__)?${role}`
const login = `(?:#{1,6} )?(?:[-*] )?${name}`
const day = [raw`\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d\S{0,12})?`, raw`\d{1,2}[./]\d{1,2}[./]\d{2,4}`,
  raw`\p{L}{3,10}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}`, raw`\d{1,2}\.? \p{L}{3,10}\.? \d{4}`,
  raw`\p{L}{3,10}\.? \d{1,2}`].join('|')
const count = '(?:\\d{1,4}|an?|one|last|eine[mnr]?|une?|una?|hace|vor|il y a)(?: \\d{1,4}| eine[mnr]?| une?| una?)?'
const span = '(?:seconds?|minutes?|mins?|hours?|days?|weeks?|months?|years?|' +
  'sekunden?|stunden?|tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?|heures?|jours?|semaines?|mois|ans?|' +
  'horas?|días?|semanas?|mes(?:es)?|años?)'
const ago = `${count} ${span}(?: ago)?|just now|yesterday|today|gestern|heute|hier|ayer|hoy`
const when = raw`(?:on |at |am |le |el )?(${day}|${ago})(?:,? (?:at )?\d{1,2}:\d\d(?: ?[ap]m)?)?`
const what = 'opening (?:post|comment)|comment|description|review(?: thread| comment)?|reply|issue|answer|' +
  'question|post|kommentar|beschreibung|antwort|commentaire|réponse|comentario|respuesta'
const acts = 'commented|replied|wrote|opened|created|reviewed|requested changes|approved|suggested|answered|posted'
const did = `(?:has )?(?:${acts})(?: (?:this|the) (?:issue|pull request|discussion|changes?))?|` +
  '(?:hat )?(?:kommentierte|kommentiert|geschrieben|schrieb)|a (?:commenté|écrit|répondu)|comentó|escribió|respondió'
const end = raw`(?: [·•|–—-] .{1,60}| \(edited\)|[ ,]*edited)?:?[ \t]*$`
const by = '(?:comment|reply|review|kommentar|commentaire|comentario) (?:by|from|von|de)'

/** "alice · comment · 2024-06-03", "**alice** commented 3 days ago", "Comment by alice, 3 Jun 2024" */
const forms: readonly RegExp[] = [
  new RegExp(`^${login} [·•|–—-] (?:${what}) [·•|–—-] ${when}${end}`, 'iu'),
  new RegExp(`^${login} [·•|–—-] ${when} [·•|–—-] (?:${what})${end}`, 'iu'),
  new RegExp(`^${login} (?:${did}) ${when}${end}`, 'iu'),
  new RegExp(raw`^(?:#{1,6} |\*\*)?${by} ${name}(?:, |: | [·•|–—-] | \()${when}\)?(?:\*\*)?${end}`, 'iu')
]

/** What stands around comments on their pages. */
const around = /^(?:(?:first-time )?contributor|member|author|owner|collaborator|more actions|copy link|quote reply|edited|sorry, something went wrong\.|(?:👍|👎|😄|🎉|😕|❤️|🚀|👀| |\d)+|\S{1,40} (?:(?:added|removed) the .{1,60} labels?|closed this as|self-assigned this|mentioned this|reopened this|added this to).{0,100})$/iu

const hint = /[·•|–—-] (?:opening|comment|description|review|reply|issue|answer|question|post|kommentar|beschreibung|antwort|réponse|respuesta|\d)|(?:commented|replied|wrote|opened|reviewed|approved|answered|posted|issue|request|kommentiert|schrieb|commenté|écrit|comentó|escribió) (?:on |at |am |le |el |vor |il y a |hace )?(?:\p{L}|\d)|(?:comment|reply|review|kommentar|commentaire|comentario) (?:by|from|von|de) /iu
const maxLine = 200

/** @returns who wrote each comment of a thread that was copied from a page of issues */
export const commentHeads = (lines: readonly Line[], text: string):
{ heads: Head[], marks: Map<number, MessageMark> } => {
  const marks = new Map<number, MessageMark>()
  // Comments that Steward has read itself have a heading of their own.
  if (!hint.test(text) || lines.some(({ text: line }) => commentHeading.test(line))) return { heads: [], marks }
  const heads = lines.flatMap(({ text: line }, at): Head[] => {
    const found = line.length > maxLine || !hint.test(line)
      ? undefined
      : forms.map((form) => form.exec(line.trim())).find((match) => match !== null)
    return found?.[1] === undefined ? [] : [{ at, author: found[1].trim(), written: found[2] ?? '', skip: 0 }]
  })
  const [first, second] = heads
  if (!first) return { heads, marks }
  const isBelow = lines.slice(0, first.at).some(({ text: above }) => /^[^#\s].{40}/.test(above))
  // The text of the issue quotes no older message; its comments do.
  const from = isBelow ? first.at : second?.at ?? Infinity
  let isFenced = false
  lines.forEach(({ text: line }, at) => {
    if (/^(?:```|~~~)/.test(line)) isFenced = !isFenced
    if (isFenced) return
    if (around.test(line.trim())) marks.set(at, { kind: 'metadata', skip: 0 })
    if (at > from && line.startsWith('>')) marks.set(at, { kind: 'older', skip: 0 })
  })
  return { heads, marks }
}
