import { strToU8, zipSync } from 'fflate'

const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const office = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const types = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  `<Override PartName="/word/document.xml" ContentType="${office}.document.main+xml"/>` +
  `<Override PartName="/word/styles.xml" ContentType="${office}.styles+xml"/>` +
  `<Override PartName="/word/numbering.xml" ContentType="${office}.numbering+xml"/></Types>`

const rels = (list: readonly [string, string][]): string =>
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
  list.map(([type, to], at) => `<Relationship Id="r${at}" Type="${relations}/${type}" Target="${to}"/>`).join('') +
  '</Relationships>'

const styles = `<w:styles ${w}>${[1, 2, 3].map((level) =>
  `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/></w:style>`
).join('')}</w:styles>`

const numbering = `<w:numbering ${w}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/>` +
  '</w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>'

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const paragraph = (text: string, properties = '', run = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:rPr>${run}</w:rPr>` +
  `<w:t xml:space="preserve">${escape(text)}</w:t></w:r></w:p>`

const table = (rows: readonly string[]): string => `<w:tbl>${rows.filter((row) => !/^[|:\- ]+$/.test(row)).map((row) =>
  `<w:tr>${row.slice(1, -1).split('|').map((cell) => `<w:tc>${paragraph(cell.trim())}</w:tc>`).join('')}</w:tr>`)
  .join('')}</w:tbl>`

const toXml = (line: string): string => {
  const heading = /^(#{1,3}) (.*)$/.exec(line)
  if (heading) return paragraph(heading[2] ?? '', `<w:pStyle w:val="Heading${heading[1]?.length ?? 1}"/>`)
  if (line.startsWith('!b ')) return paragraph(line.slice(3), '', '<w:b/>')
  return line.startsWith('- ')
    ? paragraph(line.slice(2), '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>')
    : paragraph(line)
}

/** A Word document of lines: `# ` a heading by its style, `!b ` one in bold, `- ` an item, `|` a table, else text. */
export const writeDocx = (text: string): Buffer => {
  const lines = text.split('\n').filter((line) => line !== '')
  const body = lines.map((line, at) => {
    if (!line.startsWith('|')) return toXml(line)
    if (lines[at - 1]?.startsWith('|')) return ''
    const end = lines.findIndex((other, next) => next > at && !other.startsWith('|'))
    return table(lines.slice(at, end === -1 ? undefined : end))
  }).join('')
  return Buffer.from(zipSync({
    '[Content_Types].xml': strToU8(types),
    '_rels/.rels': strToU8(rels([['officeDocument', 'word/document.xml']])),
    'word/_rels/document.xml.rels': strToU8(rels([['styles', 'styles.xml'], ['numbering', 'numbering.xml']])),
    'word/styles.xml': strToU8(styles),
    'word/numbering.xml': strToU8(numbering),
    'word/document.xml': strToU8(`<w:document ${w}><w:body>${body}</w:body></w:document>`)
  }))
}
