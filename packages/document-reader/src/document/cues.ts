import type { Line } from './lines.js'
import type { Head } from './messages.js'

const time = String.raw`(?:\d{1,3}:)?\d\d:\d\d[.,]\d{3}`
/** A cue's times in WebVTT and SubRip: "00:00:03.120 --> 00:00:07.900". */
const cue = new RegExp(`^(${time}) +--> +${time}(?: .{0,100})?$`)
const number = /^\d{1,6}$|^[\da-f-]{30,60}(?:\/[\d-]{1,20})?$/i
const header = /^\ufeff?WEBVTT\b/
/** "<v Anna Keller>text", "Anna Keller: text" */
const voice = /^(?:- ?)?<v(?:\.[\w.]{1,30})? ([^<>]{1,60})>/
const speaker = /^(?:- ?)?(\p{Lu}[\p{L}'’.-]{0,30}(?: \p{L}[\p{L}'’.-]{0,30}){0,3}):[ \t]+(?=\S)/u

/** @returns the lines that number and time the cues of a recording: they are no part of what was said */
export const cueLines = (lines: readonly Line[], text: string): ReadonlySet<number> => {
  const found = new Set<number>()
  if (!text.includes(' --> ')) return found
  lines.forEach(({ text: line }, at) => {
    if (header.test(line) && at === 0) found.add(at)
    if (!cue.test(line.trim())) return
    found.add(at)
    if (number.test(lines[at - 1]?.text.trim() ?? '')) found.add(at - 1)
  })
  return found.size > 1 ? found : new Set()
}

/** @returns where another speaker begins, in the line below a cue's times */
export const speakersOf = (lines: readonly Line[], cues: ReadonlySet<number>): Head[] => {
  const heads: Head[] = []
  for (const at of cues) {
    const written = cue.exec(lines[at]?.text.trim() ?? '')?.[1]
    const { text = '' } = lines[at + 1] ?? {}
    const found = written === undefined ? null : voice.exec(text) ?? speaker.exec(text)
    if (!found?.[1] || heads.at(-1)?.author === found[1]) continue
    const skip = found[0].length < text.length ? found[0].length : 0
    heads.push({ at: at + 1, author: found[1], written: written ?? '', skip })
  }
  return heads
}
