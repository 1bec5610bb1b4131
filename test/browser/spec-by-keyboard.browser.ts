import { readFile } from 'node:fs/promises'
import t from '../tap.js'
import { shoot, startClient, tabTo } from './browser.js'

const { url, page, complaints } = await startClient(t)
const main = page.locator('main')
const dialog = page.getByRole('dialog')
const press = (key: string) => page.keyboard.press(key)
const type = (text: string) => page.keyboard.type(text)

/** Goes on to an element by Tab, and presses the key that uses it. */
const use = async (name: string, key = 'Enter') => {
  await tabTo(page, name)
  await press(key)
}
/** Goes back to the beginning of the page, behind the navigation, as its first link does. */
const toMain = async () => {
  await page.evaluate("document.querySelector('a.skip').focus()")
  await press('Enter')
  await page.locator('#main:focus').waitFor()
}
const write = async (name: string, text: string) => {
  await tabTo(page, name)
  await press('Control+A')
  await type(text)
}
const save = async () => {
  await use('Save')
  await dialog.waitFor({ state: 'detached' })
}

t.test('a spec is made, generated, edited, answered and exported without a mouse', async (t) => {
  await page.goto(`${url}/#/specs`)
  await main.getByRole('heading', { level: 1, name: 'Specs' }).waitFor()
  await toMain()
  await use('New spec')
  await write('Title', 'Parcel lockers')
  await use('Create')
  await main.getByText('No inputs').waitFor()
  await toMain()
  await use('Add an input')
  await write('Text', '# Features\n\nDoors must open.\n\nLamps must glow.\n')
  await use('Add')
  await dialog.waitFor({ state: 'detached' })
  await toMain()
  await use('Generate')
  await main.getByText('Version 1 is ready.').waitFor()
  await toMain()
  await use('Requirements')
  await main.getByRole('article', { name: 'FR-001' }).waitFor()

  await toMain()
  await use('Edit FR-001')
  await write('Statement', 'THE SYSTEM SHALL open the door within 2 seconds.')
  await save()
  t.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Edit FR-001', 'the focus is back')
  await main.getByText('THE SYSTEM SHALL open the door within 2 seconds.').waitFor()

  await toMain()
  await use('Add a part')
  await use('Open questions')
  await write('Question', 'What is the limit?')
  await save()
  await main.getByText('What is the limit?').waitFor()
  await toMain()
  await write('Answer to Q-1', 'It is 5.')
  await press('Enter')
  await main.getByText('Answered: It is 5.').waitFor()

  await toMain()
  await use('Add a part')
  await use('Tasks')
  await write('Title', 'Order doors')
  await save()
  await main.getByText('Order doors').waitFor()
  await toMain()
  await use('Edit T001')
  await write('Title', 'Order steel doors')
  await save()
  await main.getByText('Order steel doors').waitFor()
  await shoot(page, 'spec-by-keyboard')

  await toMain()
  await use('Export')
  const download = page.waitForEvent('download')
  await use('Download v5')
  const exported = await readFile(await (await download).path(), 'utf8')
  t.match(exported, /THE SYSTEM SHALL open the door within 2 seconds\./)
  t.match(exported, /Order steel doors/)
})

t.test('what is retired leaves the focus in its card', async (t) => {
  await press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await toMain()
  await use('Requirements')
  await main.getByRole('article', { name: 'FR-002' }).waitFor()
  await toMain()
  await use('Retire FR-002')
  await main.getByRole('article', { name: 'FR-002' }).getByText('retired', { exact: true }).waitFor()
  await page.locator('article:focus').waitFor()
  t.equal(await page.evaluate('document.activeElement.ariaLabel'), 'FR-002')
  await press('Shift+Tab')
  t.match(await page.evaluate('document.activeElement.closest("article").ariaLabel'), 'FR-001', 'Tab goes on there')
})

t.test('nothing that the keyboard did was a fault', async (t) => { t.same(complaints, []) })
