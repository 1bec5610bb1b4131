import t from 'tap'
import { openWindow, startClient } from './browser.js'

const { url, page } = await startClient(t)

interface Loaded { paint: number, scripts: { name: string, bytes: number }[] }

const measure = `({
  paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
  scripts: performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
    .map(({ name, encodedBodySize }) => ({ name: name.split('/').at(-1), bytes: encodedBodySize }))
})`

t.test('the chat page needs less than 200 KB of script, compressed; from a cold cache it is soon there', async (t) => {
  // Another window knows who is signed in, and has nothing in its cache.
  const cold = await openWindow(t, { storageState: await page.context().storageState() })
  const begun = performance.now()
  await cold.page.goto(url)
  await cold.page.getByRole('textbox', { name: 'Message to the assistant' }).waitFor()
  const usable = performance.now() - begun
  const { paint, scripts } = await cold.page.evaluate<Loaded>(measure)
  const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0)
  // How long it took depends on the machine and on what else that does: told, not judged.
  t.comment(`first paint after ${Math.round(paint)} ms, usable after ${Math.round(usable)} ms, ` +
    `${scripts.length} scripts, ${bytes} bytes compressed`)
  t.ok(scripts.length > 1, 'the scripts were counted')
  t.ok(bytes > 10_000 && bytes < 200_000, `${bytes} bytes`)
})

t.test('the keyboard reaches everything: the skip link, the pages, a dialog and back', async (t) => {
  await page.goto(`${url}/#/projects`)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
  await page.keyboard.press('Tab')
  t.equal(await page.locator(':focus').textContent(), 'Skip to the content')
  await page.keyboard.press('Enter')
  t.equal(await page.locator(':focus').getAttribute('id'), 'main')
  await page.keyboard.press('Tab')
  t.equal(await page.locator(':focus').textContent(), 'New project')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Name' }).waitFor()
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  t.equal(await page.locator(':focus').textContent(), 'New project', 'the focus is back')
  await page.keyboard.press('Enter')
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'By keyboard' }).waitFor()
})
