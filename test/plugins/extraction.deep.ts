import t from '../tap.js'
import { layOutPdf } from '../../packages/document-reader/src/extraction/lay-out-pdf.js'
import { Extractor } from '../../plugins/extraction.js'
import { writeDocx } from '../../bench/corpus/write-docx.js'
import { writePdf } from '../../bench/corpus/write-pdf.js'
import { strToU8, zipSync } from 'fflate'
import { encryptedPdf, makeBomb, makeDocx, makePdf, makePdfBomb, scannedPdf, withoutSecondPage } from './files.js'

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
  // As Google Docs exports a text: struck out by a class, with a mark that leads to a comment.
  const style = '.c1{font-weight:700}.c2{text-decoration:line-through;color:#000}'
  t.equal((await extract(`<html><head><style>${style}</style></head>` +
    '<body><p><span class="c1">Pay</span> by card or <span class="c4 c2">PayPal </span>' +
    '<span style="text-decoration:line-through">cash</span> transfer<sup><a href="#cmnt1" id="x">[a]</a></sup>.</p>' +
    '</body></html>', 'a.html')).text, 'Pay by card or ~~PayPal~~ ~~cash~~ transfer.')
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

t.test('UTF-16 is read without its mark too, and a page in the encoding that it names', async (t) => {
  const utf16 = Buffer.from('# Doors\n\nDoors must close.', 'utf16le')
  t.equal((await extract(utf16, 'a.md')).text, '# Doors\n\nDoors must close.')
  t.equal((await extract(Buffer.from(utf16).swap16(), 'a.md')).text, '# Doors\n\nDoors must close.')
  const page = (head: string) =>
    Buffer.from(`<html><head>${head}</head><body><p>Türen müssen schließen.</p></body></html>`, 'latin1')
  t.equal((await extract(page('<meta charset="iso-8859-1">'), 'a.html')).text, 'Türen müssen schließen.')
  t.equal((await extract(page(''), 'a', 'text/html; charset=windows-1252')).text, 'Türen müssen schließen.')
  await t.rejects(extract(page(''), 'a.html'), { code: 'file_type_unsupported', message: /save it as UTF-8/ })
})

t.test('a file is what its bytes say, not what its words mention', async (t) => {
  const refused = (data: Uint8Array | string, filename: string, code: string, message: RegExp) =>
    t.rejects(extract(data, filename), { code, message }, filename)
  t.equal((await extract('A file that starts with %PDF-1.4 must be read.', 'a.md')).media_type, 'text/markdown')
  t.equal((await extract('PK is the primary key.', 'a.txt')).text, 'PK is the primary key.')
  const sheet = Buffer.from(zipSync({ 'xl/workbook.xml': strToU8('<workbook/>') }))
  await refused(sheet, 'a.xlsx', 'file_type_unsupported', /only Word/)
  await refused('{\\rtf1 The door must close.}', 'a.rtf', 'file_type_unsupported', /save it as \.docx/)
  const old = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
  await refused(Buffer.from([...old, ...Buffer.from('EncryptedPackage', 'utf16le')]), 'a', 'file_encrypted', /password/)
  const locked = Buffer.from(makeDocx('x'))
  locked[6] = 1
  await refused(locked, 'a.docx', 'file_encrypted', /password/)
})

t.test('what is left out of a document is said', async (t) => {
  const long = await extract('x'.repeat(1_000_010), 'a.txt')
  t.match(long, { truncated: true, left_out: '10 characters at its end' })
  const mixed = writePdf(`${'The lamp must glow.\n'.repeat(60)}`, 'spec')
  t.notOk((await extract(mixed, 'a.pdf')).left_out)
  t.match(await extract(withoutSecondPage, 'a.pdf'), { pages: 2, left_out: 'pages without text, perhaps scans: 2' })
})

t.test('Word: bold paragraphs are headings, and tables keep their rows', async (t) => {
  const { text } = await extract(writeDocx('!b Doors\n- One\n| ID | Text |\n|---|---|\n| R1 | a b |'), 'a.docx')
  t.equal(text, '#### Doors\n\n-   One\n\n| ID | Text |\n|---|---|\n| R1 | a b |')
})

t.test('PDF: bullets of a symbol font make a list', async (t) => {
  const bullet = { height: 12, hasEOL: true }
  const items = ['Intro', '\uf0b7 The door must open.', '\uf0b7 The lamp must glow.'].map((str, at) =>
    ({ ...bullet, str, transform: [1, 0, 0, 1, 20, 700 - at * 14] }))
  t.equal(layOutPdf([items]).text, 'Intro\n\n- The door must open.\n\n- The lamp must glow.')
})

t.test('PDF: larger type is a heading, divided words are mended, and what pages repeat is dropped', async (t) => {
  const long = 'The display hangs in each tram and shows the next stops in the order of the specifications of it.'
  const { text, pages } = await extract(writePdf(`# Title\n${`${long}\n`.repeat(12)}`, 'spec'), 'a.pdf')
  t.match([pages, text], [2, /^# Title\n\nThe display hangs/])
  t.notMatch(text, /confidential|Page \d/)
  t.match(text, /specifications/)
  t.equal(text.split('\f').length, 2)
})

t.test('PDF: no line of a long document is lost, though those at the edges of pages differ by a number', async (t) => {
  const lines = Array.from({ length: 1_400 }, (_, at) => `The door ${at + 1} must open within ${at % 7} s.`)
  const { text, pages } = await extract(writePdf(lines.join('\n'), 'spec'), 'a.pdf')
  t.equal(pages, 100)
  t.same(text.split(/\s*[\f\n]+/), lines)
})

t.test('PDF: words divided by any hyphen are mended, and a hyphen that waits for a second word stays', async (t) => {
  const items = ['It es\u2011', 'tablishes the way in- and the way', 'out. Das Ein-', 'und Ausgehen.'].map((str, at) =>
    ({ str, height: 12, hasEOL: true, transform: [1, 0, 0, 1, 20, 700 - at * 14] }))
  t.equal(layOutPdf([items]).text, 'It establishes the way in- and the way\nout. Das Ein-\nund Ausgehen.')
})

t.test('dashes that people type in Word make items, also of what looks like a heading', async (t) => {
  const { text } = await extract(writeDocx('# Features\n# - Voters log in.'), 'a.docx')
  t.equal(text, '# Features\n\n- Voters log in.')
  const typed = '- Voters can change their vote.'
  t.equal((await extract(makeDocx(typed), 'a.docx')).text, typed)
})

t.test('the lines of a PDF with wide spacing make paragraphs, and lists with as much space do not', async (t) => {
  const paragraphs = (lines: string[]) => layOutPdf([lines.map((str, at) =>
    ({ str, hasEOL: true, height: 10, transform: [1, 0, 0, 1, 50, 800 - at * 21] }))]).text.split('\n\n').length
  const prose = ['The door must open when somebody', 'stands before it and', 'close behind them.']
  t.equal(paragraphs(Array.from({ length: 12 }, () => prose).flat()), 1)
  t.equal(paragraphs(Array.from({ length: 36 }, (_, at) => `Door ${at} must open.`)), 36)
})

t.test('Word: the comments of reviewers are said to be left out', async (t) => {
  const comments = strToU8('<w:comments xmlns:w="x"><w:comment w:id="0"><w:p/></w:comment></w:comments>')
  t.match(await extract(makeDocx('Doors must open.', { 'word/comments.xml': comments }), 'a.docx'),
    { text: 'Doors must open.', truncated: false, left_out: '1 comment beside the text' })
})

t.test('PDF: a bullet right before its text makes an item', async (t) => {
  const items = ['Intro', '•Open the door.'].map((str, at) =>
    ({ str, height: 12, hasEOL: true, transform: [1, 0, 0, 1, 20, 700 - at * 14] }))
  t.equal(layOutPdf([items]).text, 'Intro\n\n- Open the door.')
})

/** A run of text as the library gives it: letters are half as wide as high. */
const run = (str: string, x: number, y: number) =>
  ({ str, height: 10, width: str.length * 5, transform: [1, 0, 0, 1, x, y], hasEOL: true })

t.test('PDF: a table without lines is read by its columns, with cells of several lines', (t) => {
  const items = [run('The doors have these rules.', 50, 740), run('ID', 60, 700), run('Requirement', 190, 700),
    run('Priority', 300, 700), run('R-1', 60, 674), run('The door must open', 120, 680),
    run('within 5 seconds.', 120, 668),
    run('High', 300, 674), run('R-2', 60, 650), run('The lamp must glow.', 120, 650), run('Low', 300, 650),
    run('This is the text that stands below the table and runs over all of its columns.', 50, 610)]
  t.equal(layOutPdf([items]).text, `The doors have these rules.

| ID | Requirement | Priority |
|---|---|---|
| R-1 | The door must open within 5 seconds. | High |
| R-2 | The lamp must glow. | Low |

This is the text that stands below the table and runs over all of its columns.`)
  t.end()
})

t.test('PDF: a table that goes on keeps its names; one without names keeps its ids before their texts', (t) => {
  const row = (at: number) =>
    [run(`${'ABCDE'.charAt(at)}-7`, 60, 700 - at * 20), run(`Door ${at} opens.`, 120, 700 - at * 20)]
  const header = [run('ID', 60, 700), run('Requirement', 120, 700)]
  const rows = (one: string, other: string) => `| ID | Requirement |\n|---|---|\n| ${one} |\n| ${other} |`
  t.equal(layOutPdf([[...header, ...row(1), ...row(2)], [...row(3), ...row(4)]]).text,
    `${rows('B-7 | Door 1 opens.', 'C-7 | Door 2 opens.')}\n\n\f${rows('D-7 | Door 3 opens.', 'E-7 | Door 4 opens.')}`)
  t.equal(layOutPdf([[...row(1), ...row(2)]]).text, 'B-7: Door 1 opens.\n\nC-7: Door 2 opens.')
  t.end()
})

t.test('PDF: a list, a table of contents and two columns of prose are no tables', (t) => {
  const list = ['must open.', 'must close.'].flatMap((text, at) =>
    [{ ...run('•', 60, 700 - at * 14), hasEOL: false }, run(` ${text}`, 80, 700 - at * 14)])
  t.equal(layOutPdf([list]).text, '- must open.\n\n- must close.')
  const contents = ['Doors', 'Lamps', 'Locks'].flatMap((text, at) =>
    [run(text, 60, 700 - at * 14), run(String(at + 3), 400, 700 - at * 14)])
  t.notMatch(layOutPdf([contents]).text, '|')
  const columns = [60, 300].flatMap((x) =>
    [0, 1, 2, 3].map((at) => run('the words go on in the next line', x, 700 - at * 12)))
  t.notMatch(layOutPdf([columns]).text, '|')
  t.end()
})

t.test('PDF: a header of several lines is dropped, also where the program writes it before the text', (t) => {
  const page = (at: number) => [run('Doors', 60, 800), run('Version 1', 60, 786), run('doors.docx', 60, 772),
    run(`Page ${at}`, 60, 30), run(`Door ${at} must open.`, 60, 600), run(`Lamp ${at} must glow.`, 60, 580)]
  t.equal(layOutPdf([1, 2, 3].map(page)).text.replace(/\s+/g, ' '),
    'Door 1 must open. Lamp 1 must glow. Door 2 must open. Lamp 2 must glow. Door 3 must open. Lamp 3 must glow.')
  t.end()
})

t.test('PDF: a mark that is printed in front of its letter is put on it', (t) => {
  t.equal(layOutPdf([[run('Türen m¨ussen schließen k¨onnen.', 60, 700)]]).text, 'Türen müssen schließen können.')
  t.end()
})
