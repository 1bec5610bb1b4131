import t from '../tap.js'
import { scripted } from '../chat.js'
import { judgeDark, openWindow, sendMessage, seriousFindings, shoot, signIn, startClient } from './browser.js'

const { app, anthropic, url } = await startClient(t)

const columns = Array.from({ length: 40 }, (_, index) => `c${index}`)
const wide = [columns, columns.map(() => '---'), columns.map((_, index) => `value ${index}`)]
  .map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const worst = [
  '1. first', '   - nested', '     - deeper', '       ```sh', '       npm ci', '       ```', '2. second', '',
  '| left | middle | right |', '|:--|:-:|--:|', '| a \\| b | `x|y` | 12 |', '',
  '- [x] done', '  - [ ] open below', '',
  'As measured.[^a] And again.[^a]', '',
  wide, '',
  `\`\`\`text\n${'long '.repeat(400)}\n\`\`\``, '',
  'x'.repeat(3000), '',
  `https://example.com/${'path/'.repeat(200)}`, '',
  '<script>globalThis.pwned = 1</script><svg onload="globalThis.pwned = 1"><a href="javascript:alert(1)">x</a></svg>',
  '<img src=x onerror="globalThis.pwned = 1"><iframe srcdoc="<script>parent.pwned = 1</script>"></iframe>',
  '<style>body { display: none }</style><form action="//evil.example"><input name="q"></form>', '',
  'مرحبا بالعالم، هذا نص عربي مع web:2.6.0 في الوسط.', '',
  'It is $E = mc^2$ and $$\\int_0^1 x\\,dx$$', '',
  '```mermaid', 'flowchart LR', '  a --> b', '```', '',
  '> quoted', '> - list in it', '>', '> ```js', '> const a = 1', '> ```', '',
  '```', 'a fence that is never closed'
].join('\n')

t.test('whatever an answer has in it, the page stays whole, narrow and safe', async (t) => {
  const { page, complaints } = await openWindow(t)
  await signIn({ page, complaints }, app, url)
  await sendMessage(page, scripted(anthropic, [{ content: [{ type: 'text', text: worst }] }]))
  const text = page.locator('.entry.text .markdown')
  await text.getByText('a fence that is never closed').waitFor()
  await page.getByText('The assistant is done').waitFor({ state: 'attached' })
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 820 })
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), width, 'the page does not scroll sideways')
    t.same(await page.evaluate(`[...document.querySelectorAll('.entry.text .markdown')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1).length`), 0, 'nor does the answer')
    await shoot(page, `markdown-worst-${width}`)
  }
  t.equal(await page.evaluate('globalThis.pwned'), undefined)
  t.equal(await text.locator('script, iframe, svg, form, style, img, [onerror], [href^="javascript"]').count(), 0)
  const inner = await text.locator('ol').first().textContent()
  t.match(inner, /first[^]*nested[^]*deeper[^]*npm ci[^]*second/, 'a list goes on behind code within it')
  const sides = await text.locator('table').first().locator('tbody td').evaluateAll((cells) =>
    cells.map((cell) => cell.getAttribute('align')))
  t.same(sides, ['left', 'center', 'right'])
  t.match(await text.locator('table').first().locator('tbody td').first().textContent(), 'a | b')
  t.equal(await text.locator('table').nth(1).locator('thead th').count(), 40)
  t.match(await text.textContent(), /☑ done[^]*☐ open below/)
  t.equal(await text.locator('sup a').count(), 2, 'both marks of a note lead to it')
  t.match(await text.textContent(), 'flowchart LR')
  t.match(await text.textContent(), 'E = mc^2')
  await page.setViewportSize({ width: 1280, height: 820 })
  t.same(await seriousFindings(page), [])
  await page.emulateMedia({ colorScheme: 'dark' })
  await judgeDark(t, page, 'markdown at its worst')
  await shoot(page, 'markdown-worst-dark')
  await page.reload()
  await text.getByText('a fence that is never closed').waitFor()
  t.same(complaints, [])
})

t.test('text from right to left is set from right to left', async (t) => {
  const { page, complaints } = await openWindow(t)
  await signIn({ page, complaints }, app, url)
  await sendMessage(page, scripted(anthropic, [{ content: [{ type: 'text', text: 'مرحبا بالعالم\n\nHello.' }] }]))
  const text = page.locator('.entry.text .markdown')
  await text.locator('p', { hasText: 'Hello.' }).waitFor()
  const sides = await page.evaluate<string[]>(`[...document.querySelectorAll('.entry.text .markdown p')].map((one) => {
    const words = document.createRange()
    words.selectNodeContents(one)
    const [outer, inner] = [one.getBoundingClientRect(), words.getBoundingClientRect()]
    return outer.right - inner.right < inner.left - outer.left ? 'right' : 'left'
  })`)
  t.same(sides, ['right', 'left'])
  t.same(complaints, [])
})
