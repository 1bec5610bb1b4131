import t from '../tap.js'
import { openWindow, startClient, visit } from './browser.js'

const { url, page } = await startClient(t)

interface Loaded { paint: number, scripts: { name: string, bytes: number }[] }

const measure = `({
  paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
  scripts: performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
    .map(({ name, encodedBodySize }) => ({ name: name.split('/').at(-1), bytes: encodedBodySize }))
})`

t.test('the chat page needs less than 80 KB of script, compressed; from a cold cache it is soon there', async (t) => {
  // Another window knows who is signed in, and has nothing in its cache.
  const cold = await openWindow(t, { storageState: await page.context().storageState() })
  const begun = performance.now()
  await cold.page.goto(url)
  await cold.page.getByRole('textbox', { name: 'Message to the assistant' }).waitFor()
  const usable = performance.now() - begun
  const { paint, scripts } = await cold.page.evaluate<Loaded>(measure)
  const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0)
  // How long it took depends on the machine and on what else that does: reported, not asserted.
  t.comment(`first paint after ${Math.round(paint)} ms, usable after ${Math.round(usable)} ms, ` +
    `${scripts.length} scripts, ${bytes} bytes compressed`)
  t.ok(scripts.length > 1, 'the scripts were counted')
  // On a slow line each costs a round of its own.
  t.ok(scripts.length < 8, `${scripts.length} scripts`)
  t.ok(bytes > 10_000 && bytes < 80_000, `${bytes} bytes`)
})

const focused = (selector: string, hasText = '') => page.locator(`${selector}:focus`, { hasText })

t.test('the keyboard reaches everything: the skip link, the pages, a dialog and back', async (t) => {
  await visit(page, `${url}/#/projects`, 'Projects')
  await page.keyboard.press('Tab')
  await focused('a.skip').waitFor()
  await page.keyboard.press('Enter')
  await focused('#main').waitFor()
  await page.keyboard.press('Tab')
  await focused('a', 'Guide').waitFor()
  await page.keyboard.press('Tab')
  await focused('button', 'New project').waitFor()
  await page.keyboard.press('Enter')
  await focused('dialog input').waitFor()
  await page.keyboard.press('Escape')
  await focused('button', 'New project').waitFor()
  t.equal(await page.getByRole('dialog').count(), 0)
  await page.keyboard.press('Enter')
  await focused('dialog input').waitFor()
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'By keyboard' }).waitFor()
})

t.test('a dialog has the focus as soon as it is there, and gives it back as soon as it is gone', async (t) => {
  await visit(page, `${url}/#/projects`, 'Projects')
  await page.getByRole('button', { name: 'New project' }).click()
  await focused('dialog input').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await focused('button', 'New project').waitFor()
  // Without a breath in between: neither a frame nor a timer passes.
  const steps = await page.evaluate<string[]>(`(async () => {
    const seen = []
    const reload = async () => {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
      seen.push(document.activeElement.localName)
    }
    document.activeElement.click()
    await reload()
    document.querySelector('dialog button[type=button]').click()
    await reload()
    return seen
  })()`)
  t.same(steps, ['input', 'button'])
})
