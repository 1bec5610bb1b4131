import type { Comment } from './block.js'
import type { Line } from './lines.js'
import { chatHeads } from './chats.js'
import { commentHeads } from './comment-heads.js'
import { speakersOf } from './cues.js'
import { ageOf, timeOf } from './message-times.js'

/** What a line of a thread is; a line without a mark is what its author wrote. */
export type MessageMark =
  { kind: 'head', comment: Comment, title: string, skip: number } |
  { kind: 'metadata' | 'signature' | 'older', skip: number }

/** A message's first line, with who wrote it and when, as it stands there. */
export interface Head { at: number, author: string, written: string, skip: number }

const field = /^(?:\*\*)?(from|von|de|sent|gesendet|envoy[ée]|enviado(?: el)?|date|datum|fecha|to|an|[àa]|para|cc|bcc|subject|betreff|objet|asunto|reply-to|message-id|in-reply-to|importance):(?:\*\*)?[ \t]+(\S.*)$/i
const authors = /^(?:from|von|de)$/i
const times = /^(?:sent|gesendet|envoy|enviado|date|datum|fecha)/i
const subjects = /^(?:subject|betreff|objet|asunto)$/i
const divider = /^(?:-{3,} ?(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message (?:d['’]origine|transféré)|mensaje (?:original|reenviado)) ?-{3,}|begin forwarded message:|_{10,}|from [^\s@]+@\S+ .{10,40}\d{4})$/i
const attribution = /^(?:On|Am|Le|El) (.{4,90}\d.{0,60}?)(?:,| schrieb| um)? ?([^,<>\d]{2,60}?)?(?: <[^<>]{3,80}>)?(?: wrote| a écrit| escribió)? ?:$/
const writes = /(?: wrote| a écrit| escribió) ?:$|^Am .{5,150} schrieb .{2,100}:$/
const german = /^Am (.{4,90}?) schrieb (.{2,80}?)(?: <[^<>]{3,80}>)?:$/
const dashes = /^(?:--|—)[ \t]*$/
const closing = /^(?:(?:best|kind|warm|with kind) (?:regards|wishes)|regards|best|thanks(?: (?:a lot|again|in advance))?|thank you|many thanks|cheers|sincerely|yours|(?:mit )?(?:freundliche[nrm]?|beste[n]?|viele[n]?|herzliche[n]?|liebe) gr(?:ü|ue)(?:ß|ss)e[n]?|vg|lg|mfg|danke|(?:bien )?cordialement|merci|bien à vous|(?:un )?saludos?|atentamente|gracias)[,.!]?$/i
const trailer = /^(?:sent from my |get outlook for |von meinem .{2,30} gesendet|envoyé (?:de|depuis) mon |enviado desde mi )/i
const disclaimer = /\b(?:(?:not|nicht|pas) (?:the |der |le |l['’])?(?:intended|named|richtige|destinataire)|this (?:e-?mail|message)[^.]{0,80}\b(?:confidential|privileged)|diese (?:e-?mail|nachricht)[^.]{0,80}vertraulich|ce (?:message|courriel)[^.]{0,80}confidentiel|este (?:mensaje|correo)[^.]{0,80}confidencial|before printing this)/i
const greeting = /^(?:hi|hello|hey|dear|good (?:morning|afternoon)|hallo|liebe[rs]?|guten (?:tag|morgen)|moin|sehr geehrte[rs]?|bonjour|cher|chère|hola|estimad[oa]s?|buenos días|all|team)\b[^.!?:]{0,50}[,!]?$/i
const postscript = /^p\.? ?s\.?[:. ]/i

/** Lines that a signature may have. */
const maxSignature = 12
const maxFields = 20

const nameOf = (author: string): string =>
  author.replace(/<[^<>]*>|\[mailto:[^[\]]*\]|\*\*/g, '').replace(/["']/g, '').trim() || author.trim()

/** Reads the header of a mail, such as "From: …", "Sent: …". @returns the line behind it */
const readFields = (lines: readonly Line[], from: number): { head: Head, end: number } | undefined => {
  const found = new Map<string, string>()
  let [at, authorAt] = [from, from]
  for (; at < Math.min(lines.length, from + maxFields); at++) {
    const { text = '' } = lines[at] ?? {}
    const [, name, value] = field.exec(text) ?? []
    if (name === undefined || value === undefined) {
      if (at === from || !/^[ \t]+\S/.test(text)) break
      continue
    }
    const key = authors.test(name) ? 'author' : times.test(name) ? 'time' : subjects.test(name) ? 'subject' : name
    if (key === 'author') authorAt = at
    if (!found.has(key)) found.set(key, value.trim())
  }
  const [author, written = ''] = [found.get('author'), found.get('time')]
  if (author === undefined || !(found.has('time') || found.has('subject'))) return undefined
  return { head: { at: authorAt, author: nameOf(author), written, skip: 0 }, end: at }
}

/** "On Mon, 3 Jun 2024, Anna wrote:", also on two lines. @returns the line behind it */
const readAttribution = (lines: readonly Line[], at: number): { head: Head, end: number } | undefined => {
  const { text: first = '' } = lines[at] ?? {}
  if (!/^(?:On|Am|Le|El) /.test(first)) return undefined
  for (const count of [1, 2]) {
    const text = lines.slice(at, at + count).map((line) => line.text.trim()).join(' ')
    if (!writes.test(text) || !/\d/.test(text)) continue
    const [, written = '', author = ''] = german.exec(text) ?? attribution.exec(text) ?? []
    return { head: { at, author: nameOf(author) || 'unknown', written, skip: 0 }, end: at + count }
  }
  return undefined
}

/** Marks the lines of a thread, from its first line to its last. */
class Marker {
  readonly marks = new Map<number, MessageMark>()
  readonly heads: Head[] = []

  constructor (private readonly lines: readonly Line[]) {}

  mark (kind: 'metadata' | 'signature' | 'older', from: number, to = from + 1): number {
    for (let at = from; at < to; at++) this.marks.set(at, { kind, skip: 0 })
    return to
  }

  text (at: number): string { return this.lines[at]?.text.trim() ?? '' }

  /** @returns the line behind a message's header; undefined where none begins */
  readHead (at: number): number | undefined {
    if (divider.test(this.text(at)) && !this.text(at).startsWith('__')) return this.mark('metadata', at)
    const fields = readFields(this.lines, at)
    const found = fields ?? readAttribution(this.lines, at)
    if (!found) return undefined
    this.mark('metadata', at, found.end)
    const next = this.lines.slice(found.end, found.end + 3).find(({ isBlank }) => !isBlank)
    // Below "Anna wrote:" lines with > quote an older message; without them it stands there as a whole.
    if (fields || !next?.text.startsWith('>')) this.heads.push(found.head)
    return this.readGreeting(found.end)
  }

  readGreeting (from: number): number {
    let at = from
    while (this.lines[at]?.isBlank) at++
    return greeting.test(this.text(at)) ? this.mark('metadata', at) : from
  }

  isHead (at: number): boolean {
    return divider.test(this.text(at)) || this.text(at).startsWith('>') || readFields(this.lines, at) !== undefined ||
      readAttribution(this.lines, at) !== undefined
  }

  /** @returns the line behind a signature or a disclaimer; undefined where none begins */
  readEnd (at: number): number | undefined {
    const text = this.text(at)
    if (trailer.test(text)) return this.mark('signature', at)
    const isParagraph = disclaimer.test(text)
    if (!isParagraph && !dashes.test(text) && !closing.test(text)) return undefined
    let end = at + 1
    while (end < Math.min(this.lines.length, isParagraph ? this.lines.length : at + maxSignature)) {
      if (this.isHead(end) || postscript.test(this.text(end)) || (isParagraph && this.lines[end]?.isBlank)) break
      end++
    }
    return this.mark('signature', at, end)
  }

  run (): void {
    let isFenced = false
    for (let at = 0; at < this.lines.length;) {
      const text = this.text(at)
      if (/^(?:```|~~~)/.test(text)) isFenced = !isFenced
      const next = isFenced || text === '' ? undefined : this.readHead(at) ?? this.readEnd(at)
      if (next === undefined && !isFenced && text.startsWith('>')) this.mark('older', at)
      at = next ?? at + 1
    }
  }
}

/** By the time that each names; those of one day, and of threads without times, in the order of the text. */
const rankOf = (heads: readonly Head[]): number[] => {
  const given = [timeOf, ageOf].map((read) => heads.map(({ written }) => read(written)))
  const when = given.find((times) => times.every((time) => time !== undefined))
  if (!when) return heads.map((_, at) => at)
  const times = when.map((time) => time ?? 0)
  const isNewestFirst = (times[0] ?? 0) > (times.at(-1) ?? 0)
  const sorted = times.map((time, at) => ({ time, at }))
    .sort((one, other) => one.time - other.time || (isNewestFirst ? other.at - one.at : one.at - other.at))
  const ranks = Array<number>(heads.length).fill(0)
  sorted.forEach(({ at }, rank) => { ranks[at] = rank })
  return ranks
}

/** Letters that the header of a message has; most documents have none, and are not searched. */
const hint = /^(?:\*\*)?(?:from|von|de):(?:\*\*)?[ \t]+\S|(?:^| )(?:wrote|a écrit|escribió) ?:[ \t]*$|^Am .{5,150} schrieb /im

const mailOf = (lines: readonly Line[], text: string): Marker | undefined => {
  if (!hint.test(text)) return undefined
  const marker = new Marker(lines)
  marker.run()
  const isMail = marker.heads.length > 0 || [...marker.marks.values()].some(({ kind }) => kind === 'older')
  return isMail ? marker : undefined
}

const threadOf = (lines: readonly Line[], text: string): Pick<Marker, 'heads' | 'marks'> => {
  const comments = commentHeads(lines, text)
  return comments.heads.length > 0 ? comments : chatHeads(lines, text)
}

/**
 * Reads a thread of mails or of a chat that was pasted as text, or the record of a conversation.
 * @param cues the lines that time a record
 * @returns marks by the number of the line; none where the text is no thread
 */
export const messagesOf = (lines: readonly Line[], text: string, cues: ReadonlySet<number>):
ReadonlyMap<number, MessageMark> => {
  const recorded = cues.size > 0 ? { heads: speakersOf(lines, cues), marks: new Map<number, MessageMark>() } : undefined
  const { heads, marks } = recorded ?? mailOf(lines, text) ?? threadOf(lines, text)
  const ranks = rankOf(heads)
  heads.forEach(({ at, author, written, skip }, index) => {
    const comment = { author, at: written, rank: ranks[index] ?? index }
    const title = `${author}${written === '' ? '' : `, ${written}`}`.slice(0, 200)
    marks.set(at, { kind: 'head', comment, skip, title })
  })
  return marks
}
