import { once } from 'node:events'
import { createDeflate, deflateSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'

const objects = (lines: string[], trailer: string): Buffer =>
  Buffer.from(['%PDF-1.4', ...lines, `trailer << /Size 6 /Root 1 0 R ${trailer} >>`, '%%EOF'].join('\n'), 'latin1')

/** A PDF of one page with a line of text. */
export const makePdf = (text: string, trailer = ''): Buffer => {
  const content = `BT /F1 12 Tf 20 100 Td (${text}) Tj ET`
  return objects([
    '1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj',
    '2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj',
    '3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 600 200] /Contents 4 0 R ' +
      '/Resources << /Font << /F1 5 0 R >> >> >> endobj',
    `4 0 obj << /Length ${content.length} >> stream\n${content}\nendstream endobj`,
    '5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj'
  ], trailer)
}

const noise = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'

/** A PDF whose password is unknown. */
export const encryptedPdf = makePdf('secret', `/ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <${noise}> ` +
  `/U <${noise}> /P -4 >>`)

const types = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ' +
  'ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxml' +
  'formats-officedocument.wordprocessingml.document.main+xml"/></Types>'
const relations = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship ' +
  'Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" ' +
  'Target="word/document.xml"/></Relationships>'

/** A Word document of one paragraph; with more parts, for those that are not what they should be. */
export const makeDocx = (text: string, more: Record<string, Uint8Array> = {}): Buffer => Buffer.from(zipSync({
  '[Content_Types].xml': strToU8(types),
  '_rels/.rels': strToU8(relations),
  'word/document.xml': strToU8('<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">' +
    `<w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`),
  ...more
}))

/** Some sixty kilobytes that unpack to sixty megabytes. */
export const makeBomb = (): Buffer => makeDocx('boom', { 'word/footnotes.xml': new Uint8Array(60 * 1_048_576) })

const megabytes = 700

/** So many megabytes of blanks, compressed twice, without having them in memory. */
const blanks = async (): Promise<Buffer> => {
  const deflate = createDeflate({ level: 9 })
  const parts: Buffer[] = []
  deflate.on('data', (part: Buffer) => parts.push(part))
  const megabyte = Buffer.alloc(1_048_576, ' ')
  for (let at = 0; at < megabytes; at++) if (!deflate.write(megabyte)) await once(deflate, 'drain')
  await once(deflate.end(), 'end')
  return deflateSync(Buffer.concat(parts), { level: 9 })
}

/** Some two kilobytes whose page decodes to seven hundred megabytes. */
export const makePdfBomb = async (): Promise<Buffer> => {
  const content = await blanks()
  const marked = makePdf('boom').toString('latin1').replace(/<< \/Length \d+ >> stream\n[^\n]*\n/,
    `<< /Length ${content.length} /Filter [/FlateDecode /FlateDecode] >> stream\n${content.toString('latin1')}\n`)
  return Buffer.from(marked, 'latin1')
}

/** A PDF of one page without any text, as a scanner makes it. */
export const scannedPdf = makePdf('')

/** A PDF whose second page is a scan. */
export const withoutSecondPage = Buffer.from(makePdf('The lamp must glow.').toString('latin1')
  .replace('/Kids [3 0 R] /Count 1', '/Kids [3 0 R 6 0 R] /Count 2')
  .replace('trailer', '6 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 600 200] >> endobj\ntrailer'), 'latin1')
