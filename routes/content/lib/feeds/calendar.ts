import type { ScheduledRow } from '../../../../db/content/scheduled.js'

const maxOctets = 75

/** Lines of RFC 5545 have at most 75 octets; a longer one goes on after a line break and a space. */
const fold = (line: string): string => {
  const lines: string[] = []
  let [part, octets] = ['', 0]
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > maxOctets) {
      lines.push(part)
      ;[part, octets] = [' ', 1]
    }
    part += character
    octets += size
  }
  return [...lines, part].join('\r\n')
}

const escape = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r\n?|\n/g, '\\n')

/** UTC, to the second, as RFC 5545 writes it. */
const timeOf = (at: Date): string => `${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

const verbs = { publish: 'Publish', update: 'Publish', unpublish: 'Take back' } as const

const eventOf = (row: ScheduledRow): string[] => [
  'BEGIN:VEVENT',
  `UID:${row.id}`,
  `DTSTAMP:${timeOf(row.created_at)}`,
  `DTSTART:${timeOf(row.publish_at)}`,
  `SUMMARY:${escape(`${verbs[row.action]} "${row.title}"`)}`,
  `DESCRIPTION:${escape(`Version ${row.version}, ${row.target_name} (${row.kind})`)}`,
  'END:VEVENT'
]

/** What programs that read the calendar again and again want to know of it, by RFC 7986 and as they name it. */
const subscribed = (name: string): string[] => [
  'METHOD:PUBLISH',
  `NAME:${escape(name)}`,
  `X-WR-CALNAME:${escape(name)}`,
  'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
  'X-PUBLISHED-TTL:PT1H'
]

/**
 * @param name of a calendar that programs subscribe to
 * @returns a calendar of what is scheduled, as iCalendar (RFC 5545)
 */
export const toCalendar = (rows: readonly ScheduledRow[], name?: string): string => [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Steward//Content//EN',
  ...(name === undefined ? [] : subscribed(name)),
  ...rows.flatMap(eventOf),
  'END:VCALENDAR',
  ''
].map(fold).join('\r\n')
