/** Reads a mail as its receiver does (RFC 5322, RFC 2045): headers by name, and the parts by type. */
export const simpleParser = (data: string) => {
  const { headers, body } = split(data)
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  const parts = body.split(`--${boundary}`).slice(1, -1).map((part) => split(part.replace(/^\r\n/, '')))
  const partOf = (type: string) => {
    const part = parts.find((one) => one.headers['content-type']?.startsWith(type))
    return part ? decode(part.body, part.headers['content-transfer-encoding']) : ''
  }
  return { headers, text: partOf('text/plain'), html: partOf('text/html') }
}

const split = (text: string): { headers: Partial<Record<string, string>>, body: string } => {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = Object.fromEntries(lines.map((line) => {
    const at = line.indexOf(':')
    return [line.slice(0, at).toLowerCase(), words(line.slice(at + 1).trim())]
  }))
  return { headers, body: rest.join('\r\n\r\n') }
}

const fromQuoted = (text: string): string => Buffer.from(text.replace(/=\r\n/g, '')
  .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))), 'latin1').toString('utf8')

const decode = (body: string, encoding = '7bit'): string => {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  return encoding === 'quoted-printable' ? fromQuoted(body) : body
}

/** Encoded words of a header (RFC 2047). */
const words = (text: string): string => text.replace(/\?= =\?/g, '?==?')
  .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) => kind.toLowerCase() === 'b'
    ? Buffer.from(word, 'base64').toString('utf8')
    : fromQuoted(word.replaceAll('_', ' ')))
