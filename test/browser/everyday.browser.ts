import t from '../tap.js'
import { asAdmin } from '../app.js'
import { until } from '../chat.js'
import { openWindow, seriousFindings, shoot, signIn, startClient, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const main = page.locator('main')
const position = () => page.evaluate<number>('Math.round(scrollY)')

const makeProject = async (name: string): Promise<string> => {
  const made = await app.inject({ method: 'POST', url: '/account/projects', headers: asAdmin, payload: { name } })
  return made.json<{ id: string }>().id
}

/** Scrolls, and waits until the page has noted where it is. */
const scrollTo = (top: number) => page.evaluate(`new Promise((resolve) => {
  addEventListener('scrollend', resolve, { once: true })
  scrollTo({ top: ${top} })
})`)

t.test('Back returns to where the reader was, a link begins at the top', async (t) => {
  for (let index = 0; index < 40; index++) await makeProject(`Project ${index}`)
  await visit(page, `${url}/#/projects`, 'Projects')
  const link = main.getByRole('link', { name: 'Project 8', exact: true })
  await link.waitFor()
  await scrollTo(900)
  const left = await position()
  t.ok(left > 500, `at ${left}`)
  await link.click()
  await main.getByRole('heading', { level: 1, name: 'Project 8' }).waitFor()
  t.equal(await position(), 0, 'a link begins at the top')
  await page.goBack()
  await main.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
  await until(async () => await position() === left)
  await page.reload()
  await link.waitFor()
  await until(async () => await position() === left)
})

t.test('text that is typed and not saved is not left by a link, by Back or by closing the tab unasked', async (t) => {
  const id = await makeProject('Guarded')
  await visit(page, `${url}/#/projects`, 'Projects')
  await main.getByRole('link', { name: 'Guarded', exact: true }).click()
  const field = main.getByRole('textbox').first()
  await field.fill('Plain and warm')
  const here = page.url()
  t.match(here, id)
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })

  await page.getByRole('link', { name: 'Costs' }).click()
  await dialog.waitFor()
  t.same(await seriousFindings(page), [])
  await dialog.getByRole('button', { name: 'Stay here' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  t.same([page.url(), await field.inputValue()], [here, 'Plain and warm'])

  await page.goBack()
  await dialog.waitFor()
  t.same([page.url(), await field.inputValue()], [here, 'Plain and warm'])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await main.getByRole('link', { name: 'Terms', exact: true }).click()
  await page.waitForURL('**/terms')
  await main.getByRole('link', { name: 'Voice', exact: true }).click()
  await page.waitForURL('**/voice')
  t.equal(await field.inputValue(), 'Plain and warm', 'the other parts of the form are no other page')

  const asked = new Promise<string>((resolve) => page.once('dialog', (one) => {
    void one.dismiss()
    resolve(one.type())
  }))
  await page.close({ runBeforeUnload: true })
  t.equal(await asked, 'beforeunload')
  t.equal(await field.inputValue(), 'Plain and warm')

  await page.getByRole('link', { name: 'Costs' }).click()
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { level: 1, name: 'Costs' }).waitFor()
})

t.test('while Steward is away one line says so; when it answers again the page goes on by itself', async (t) => {
  await visit(page, `${url}/#/projects`, 'Projects')
  const line = page.getByText('Steward cannot be reached.')
  let refused = 0
  await page.route('**', (route) => {
    refused++
    return route.abort()
  })
  await page.getByRole('link', { name: 'Cloud accounts' }).click()
  await line.waitFor()
  t.match(page.url(), /accounts$/)
  t.equal(await line.count(), 1)
  t.equal(await page.getByRole('alert').count(), 0, 'the page repeats it nowhere')
  t.same(await seriousFindings(page), [])
  t.ok(refused > 0)
  await page.unroute('**')
  await line.waitFor({ state: 'detached' })
  // Neither its script nor its data had come.
  await main.getByRole('heading', { level: 1, name: 'Cloud accounts' }).waitFor()
  await main.getByText('Sandbox').first().waitFor()
  t.equal(await page.getByRole('alert').count(), 0)
})

t.test('a message that is typed while Steward is away is kept, and goes when it is back', async (t) => {
  await page.goto(`${url}/#/`)
  const box = page.getByRole('textbox', { name: 'Message to the assistant' })
  await box.fill('Which clusters do I have?')
  await page.route('**', (route) => route.abort())
  await page.evaluate('dispatchEvent(new Event("offline"))')
  await page.getByText('Steward cannot be reached.').waitFor()
  t.equal(await box.inputValue(), 'Which clusters do I have?')
  await page.unroute('**')
  await page.getByText('Steward cannot be reached.').waitFor({ state: 'detached' })
  await box.press('Enter')
  await page.locator('.call-head', { hasText: '2 entries' }).waitFor()
})

t.test('in a German browser the client speaks German; another language is chosen in the palette', async (t) => {
  const german = await openWindow(t, { locale: 'de-DE' })
  await signIn(german, app, url)
  const { page: window } = german
  await window.getByRole('link', { name: 'Freigaben' }).click()
  await window.getByRole('heading', { level: 1, name: 'Freigaben' }).waitFor()
  await window.getByText('Nichts wartet auf dich').waitFor()
  t.equal(await window.locator('html').getAttribute('lang'), 'de')
  const session = await window.context().newCDPSession(window)
  const { errors, url: from, data } = await session.send('Page.getAppManifest')
  t.same([errors, from], [[], `${url}/manifest.de.webmanifest`], 'installed, it is German, too')
  t.match(data, '"name": "Neuer Chat"')
  t.same(await seriousFindings(window), [])
  await shoot(window, 'inbox-german')
  await window.keyboard.press('Control+k')
  await window.getByRole('combobox', { name: /^Seite, Einstellung/ }).fill('english')
  await window.getByRole('option', { selected: true }).filter({ hasText: 'Englisch' }).waitFor()
  await window.keyboard.press('Enter')
  await window.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor()
  t.equal(await window.locator('html').getAttribute('lang'), 'en')
  await window.reload()
  await window.getByText('Nothing waits for you').waitFor()
  t.same(german.complaints, [])
})

interface Manifest { icons: { src: string, sizes: string, purpose: string }[], shortcuts: { url: string }[] }

t.test('the browser may install the client: the manifest, icons as large as they say, the push worker', async (t) => {
  const installed = await openWindow(t)
  await signIn(installed, app, url)
  const session = await installed.page.context().newCDPSession(installed.page)
  const { errors, url: from } = await session.send('Page.getAppManifest')
  t.same([errors, from], [[], `${url}/manifest.webmanifest`])
  t.same((await session.send('Page.getInstallabilityErrors')).installabilityErrors
    .filter(({ errorId }) => errorId !== 'in-incognito'), [])
  const manifest = await (await fetch(`${url}/manifest.webmanifest`)).json() as Manifest
  t.same(manifest.icons.map(({ purpose }) => purpose), ['any', 'any', 'maskable'])
  for (const { src, sizes } of manifest.icons) {
    const drawn = await installed.page.evaluate<string>(`new Promise((resolve, reject) => {
      const image = new Image()
      image.onload = () => resolve(image.naturalWidth + 'x' + image.naturalHeight)
      image.onerror = () => reject(new Error('not an image'))
      image.src = ${JSON.stringify(src)}
    })`)
    t.equal(drawn, sizes, src)
  }
  const state = await installed.page.evaluate<string>(`(async () => {
    const policy = trustedTypes.createPolicy('push-worker', { createScriptURL: (text) => text })
    await navigator.serviceWorker.register(policy.createScriptURL('./push-worker.js'))
    return (await navigator.serviceWorker.ready).active.scriptURL
  })()`)
  t.equal(state, `${url}/push-worker.js`)
  for (const { url: to } of manifest.shortcuts) {
    await installed.page.goto(new URL(to, url).href)
    await installed.page.locator('main h1').first().waitFor()
    t.equal(await installed.page.getByText('Page not found').count(), 0, to)
  }
  t.same(installed.complaints, [])
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
