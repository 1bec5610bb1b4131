import t from 'tap'
import { Extractor } from '../../plugins/extraction.js'
import { writeDocx } from '../../bench/corpus/write-docx.js'
import { writePdf } from '../../bench/corpus/write-pdf.js'
import { encryptedPdf, makeBomb, makeDocx, makePdf, makePdfBomb, scannedPdf } from './files.js'

const extractor = new Extractor()
const extract = (data: Uint8Array | string, filename: string, mediaType = '') =>
  extractor.extract({ data: Buffer.from(data), filename, mediaType })

t.test('text comes out of what people have', async (t) => {
  const none = { pages: null, truncated: false }
  t.same(await extract('# Doors\r\n\r\nDoors must open.', 'a.md'),
    { text: '# Doors\n\nDoors must open.', media_type: 'text/markdown', ...none })
  t.same(await extract('\ufeffa,b', 'a.csv'), { text: 'a,b', media_type: 'text/csv', ...none })
  t.same(await extract(Buffer.from('\ufeffäb', 'utf16le'), 'a.txt'), { text: 'äb', media_type: 'text/plain', ...none })
  t.same(await extract('<html><head><title>x</title></head><body><nav>Home</nav><main><h1>Doors</h1><script>alert(1)' +
    '</script><p>Doors <b>must</b> open.</p></main><footer>Imprint</footer></body></html>', 'a', 'text/html'),
  { text: '# Doors\n\nDoors **must** open.', media_type: 'text/markdown', ...none })
  t.equal((await extract('<p>x</p><article>One</article><Article>Two</ARTICLE><p>y</p>', 'a.html')).text, 'One\n\nTwo')
  t.same(await extract(makePdf('Doors must open.'), 'whatever.bin'),
    { text: 'Doors must open.', media_type: 'text/plain', pages: 1, truncated: false })
  t.same(await extract(makeDocx('Doors must open.'), 'a.docx'),
    { text: 'Doors must open.', media_type: 'text/markdown', ...none })
})

t.test('what cannot be read is reported as such, and breaks nothing else', async (t) => {
  const refused = (data: Uint8Array | string, filename: string, code: string) =>
    t.rejects(extract(data, filename), { code }, code)
  await refused(encryptedPdf, 'a.pdf', 'file_encrypted')
  await refused('%PDF-1.4\nnothing follows', 'a.pdf', 'file_broken')
  await refused(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]), 'a.docx', 'file_encrypted')
  await refused(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]), 'a.doc', 'file_type_unsupported')
  await refused(makeBomb(), 'a.docx', 'file_unpacks_too_large')
  await refused(makeDocx('x').subarray(0, 200), 'a.docx', 'file_broken')
  await refused(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]), 'a.png', 'file_type_unsupported')
  t.equal((await extract(makePdf('still here'), 'a.pdf')).text, 'still here')
})

/** @returns the most memory that this process had while something was done, in bytes */
const peakOf = async (work: () => Promise<unknown>): Promise<number> => {
  let peak = 0
  const timer = setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()) }, 5)
  await work().finally(() => clearInterval(timer))
  return peak
}

t.test('S8: a PDF that decodes to more than there is ends its own process; the server has what it had', async (t) => {
  const bomb = await makePdfBomb()
  t.ok(bomb.length < 5_000, `${bomb.length} bytes`)
  const before = process.memoryUsage.rss()
  const peak = await peakOf(() => t.rejects(extract(bomb, 'a.pdf'), { code: 'file_too_complex' }))
  t.ok(peak - before < 150 * 1_048_576, `${Math.round((peak - before) / 1_048_576)} MB more`)
  t.equal((await extract(makePdf('still here'), 'a.pdf')).text, 'still here')
})

t.test('a scan has pages and no text; a text in another encoding is refused with the reason', async (t) => {
  t.match(await extract(scannedPdf, 'a.pdf'), { text: '', pages: 1 })
  await t.rejects(extract(Buffer.from('Türen müssen schließen.', 'latin1'), 'a.txt'),
    { code: 'file_type_unsupported', message: /save it as UTF-8/ })
})

t.test('Word: bold paragraphs are headings, and tables keep their rows', async (t) => {
  const { text } = await extract(writeDocx('!b Doors\n- One\n| ID | Text |\n|---|---|\n| R1 | a b |'), 'a.docx')
  t.equal(text, '#### Doors\n\n-   One\n\n| ID | Text |\n|---|---|\n| R1 | a b |')
})

t.test('PDF: larger type is a heading, divided words are mended, and what pages repeat is dropped', async (t) => {
  const long = 'The display hangs in each tram and shows the next stops in the order of the specifications of it.'
  const { text, pages } = await extract(writePdf(`# Title\n${`${long}\n`.repeat(12)}`, 'spec'), 'a.pdf')
  t.match([pages, text], [2, /^# Title\n\nThe display hangs/])
  t.notMatch(text, /confidential|Page \d/)
  t.match(text, /specifications/)
  t.equal(text.split('\f').length, 2)
})
