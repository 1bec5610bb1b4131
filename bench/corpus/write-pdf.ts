/** Points; a page holds so few lines that each document has several pages. */
const size = { 1: 20, 2: 15, 3: 12.5, 0: 10.5 } as const
const columns = 78
const linesOnPage = 14

interface Line { text: string, size: number, gap: number }

/** Breaks a paragraph into lines; a long word at a line's end is divided with a hyphen. */
const wrap = (text: string): string[] => {
  const lines: string[] = []
  let open = ''
  for (const word of text.split(' ')) {
    const room = columns - open.length - 1
    if (word.length <= room) open = open === '' ? word : `${open} ${word}`
    else if (/^[a-z]{9,}[.,]?$/.test(word) && room > 6) {
      lines.push(`${open} ${word.slice(0, 5)}-`)
      open = word.slice(5)
    } else {
      lines.push(open)
      open = word
    }
  }
  return [...lines, open]
}

const layOut = (text: string): Line[] => text.split('\n').filter((line) => line !== '').flatMap((line): Line[] => {
  const heading = /^(#{1,3}) (.*)$/.exec(line)
  // The expression has one to three of them.
  const level = (heading?.[1]?.length ?? 0) as 0 | 1 | 2 | 3
  const shown = heading?.[2] ?? line.replace(/^- /, '\u2022 ')
  return wrap(shown).map((part, at) => ({ text: part, size: size[level], gap: at > 0 ? 3 : level > 0 ? 14 : 7 }))
})

const escape = (text: string): string => text.replace(/[\\()]/g, '\\$&').replaceAll('\u2022', '\\225')

const write = (text: string, x: number, y: number, points: number): string =>
  `BT /F1 ${points} Tf 1 0 0 1 ${x} ${y.toFixed(1)} Tm (${escape(text)}) Tj ET`

const page = (lines: Line[], title: string, number: number, pages: number): string => {
  let y = 760
  const body = lines.map((line) => {
    y -= line.size + line.gap
    return write(line.text, 60, y, line.size)
  })
  return [write(`${title}   -   confidential`, 60, 800, 8), ...body,
    write(`Page ${number} of ${pages}`, 270, 30, 8)].join('\n')
}

/** A PDF of lines: `# ` a heading by its size, `- ` an item, else a paragraph; each page has a header and a footer. */
export const writePdf = (text: string, title: string): Buffer => {
  const lines = layOut(text)
  const pages = Array.from({ length: Math.ceil(lines.length / linesOnPage) }, (_, at) =>
    lines.slice(at * linesOnPage, (at + 1) * linesOnPage))
  const streams = pages.map((part, at) => page(part, title, at + 1, pages.length))
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ')
  return Buffer.from(['%PDF-1.4', '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
    `2 0 obj << /Type /Pages /Kids [${kids}] /Count ${pages.length} >> endobj`,
    '3 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> endobj',
    ...streams.flatMap((content, at) => [
      `${4 + at * 2} 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + at * 2} 0 R ` +
        '/Resources << /Font << /F1 3 0 R >> >> >> endobj',
      `${5 + at * 2} 0 obj << /Length ${Buffer.byteLength(content, 'latin1')} >> stream\n${content}\nendstream endobj`
    ]), 'trailer << /Root 1 0 R >>', '%%EOF'].join('\n'), 'latin1')
}
