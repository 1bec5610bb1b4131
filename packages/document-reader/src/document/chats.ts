import type { Line } from './lines.js'
import type { Head, MessageMark } from './messages.js'

const name = String.raw`(\p{Lu}[\p{L}'’.-]{0,30}(?: \p{L}[\p{L}'’.-]{0,30}){0,3}|[a-z][\w.-]{1,30})`
const clock = String.raw`\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?`
const figures = String.raw`\d{1,4}[./-]\d{1,2}(?:[./-]\d{2,4}|\.)?`
const day = String.raw`(?:${figures}|\p{L}{3,10}\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|today|yesterday|heute|gestern)`
const time = String.raw`((?:${day},? (?:at |um )?)?${clock}(?:, ${figures})?)`

/** How chats are pasted; the groups of the author and of the time. */
const forms: readonly { pattern: RegExp, author: number, time: number }[] = [
  // Slack: "Anna Meier  10:42", "Anna Meier APP  10:42 AM"
  { pattern: new RegExp(`^${name}(?: APP)?(?:[ \\t]{2,}|\\t|, | )\\[?${time}\\]?[ \\t]*$`, 'u'), author: 1, time: 2 },
  // Teams and WhatsApp: "[10:42] Anna Meier", "[03.06.24, 10:42:11] Anna: text"
  { pattern: new RegExp(`^\\[${time}\\] ${name}(?:[ \\t]*$|: +)`, 'u'), author: 2, time: 1 },
  // WhatsApp: "03/06/2024, 10:42 - Anna: text"
  { pattern: new RegExp(`^${time} [-–] ${name}: +`, 'u'), author: 2, time: 1 },
  // IRC: "10:42 <anna> text"
  { pattern: new RegExp(`^\\[?${time}\\]? <[@+]?${name}> +`, 'u'), author: 2, time: 1 }
]

/** Reactions, counts of replies, days between messages. */
const around = /^(?:(?::[\w+-]{1,30}:[ \t]*(?:\d+[ \t]*)?)+|\d{1,3} repl(?:y|ies)\b.{0,60}|\(edited\)|(?:today|yesterday|new|heute|gestern|neu)|-{2,} .{3,40} -{2,})$/iu
const hint = new RegExp(clock, 'u')

/** @returns who wrote each message of a chat; a text with fewer than two in one form is no chat */
export const chatHeads = (lines: readonly Line[], text: string):
{ heads: Head[], marks: Map<number, MessageMark> } => {
  const marks = new Map<number, MessageMark>()
  if (!hint.test(text)) return { heads: [], marks }
  const found = forms.map((form) => lines.flatMap((line, at): Head[] => {
    const match = line.text.length > 2_000 ? null : form.pattern.exec(line.text)
    const [whole = '', author, written] = match ? [match[0], match[form.author], match[form.time]] : []
    return author === undefined || written === undefined
      ? []
      : [{ at, author, written, skip: whole.length < line.text.length ? whole.length : 0 }]
  }))
  const heads = found.reduce((most, one) => one.length > most.length ? one : most)
  if (heads.length < 2) return { heads: [], marks }
  lines.forEach(({ text: line }, at) => {
    if (around.test(line.trim())) marks.set(at, { kind: 'metadata', skip: 0 })
  })
  return { heads, marks }
}
