import t from '../tap.js'
import { scripted } from '../chat.js'
import { say as answers } from '../flows/asking.js'
import { actor, makeContent, makeOpenProject } from '../routes/content/actors.js'
import { gif, png } from '../routes/content/image-bytes.js'
import { judgeDark, sendMessage, seriousFindings, shoot, startClient, visit } from './browser.js'

const { app, anthropic, url, page, complaints } = await startClient(t)
const { post } = actor(app)
const project = await makeOpenProject(app, 'Pictures')
const upload = async (data: string): Promise<string> =>
  `${url}${new URL((await post('/images', { project_id: project, data })).json().url).pathname}`

const [one, other] = [await upload(png), await upload(gif)]
/** The same path, at a host that is not this one. */
const foreign = `https://pictures.example.com${new URL(one).pathname}`
const card = page.locator('.approval.pending')
const asked: string[] = []
page.on('request', (request) => { asked.push(request.url()) })

const askToReplace = async (id: string, fields: object) => {
  await visit(page, `${url}/#/`)
  const input = { content_id: id, title: 'Pay with one tap', ...fields }
  await sendMessage(page, scripted(anthropic, [
    { content: [{ type: 'tool_use', name: 'replaceContent', input }] }, answers('All right.')
  ]))
  await card.waitFor()
}

t.test('images that change stand side by side, with their words and sizes, and open by keyboard', async (t) => {
  const { id } = await makeContent(app, project, { media: [{ url: one, alt: 'A phone' }] })
  await askToReplace(id, { body_markdown: 'One tap pays.', media: [{ url: other, alt: 'Two phones, and a card' }] })
  const sides = card.locator('.both-pictures > div')
  await sides.nth(1).getByText('2 × 3').waitFor()
  t.same(await sides.locator('img').evaluateAll((images) => images.map((image) =>
    [image.getAttribute('alt'), image.getAttribute('src')])), [
    ['A phone', new URL(one).pathname], ['Two phones, and a card', new URL(other).pathname]
  ])
  await sides.nth(0).getByText('1 × 1').waitFor()
  const link = sides.nth(1).getByRole('link')
  await sides.nth(0).getByRole('link').focus()
  await page.keyboard.press('Tab')
  t.ok(await link.evaluate((element) => element === element.ownerDocument.activeElement), 'the next picture')
  t.same(await seriousFindings(page), [])
  await shoot(page, 'card-pictures')
  await page.emulateMedia({ colorScheme: 'dark' })
  await judgeDark(t, page, 'card with pictures')
  await shoot(page, 'card-pictures-small-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 820 })
})

t.test('an image at another host is not fetched, though its path is one of ours; ours are shown', async (t) => {
  const { id } = await makeContent(app, project, { body_markdown: `![A phone](${one})` })
  await askToReplace(id, { body_markdown: `![Another](${foreign})\n\n![Two phones](${other})` })
  const after = card.locator('.both-pictures > div').nth(1)
  await after.getByText('2 × 3').waitFor()
  t.same(await after.locator('img').evaluateAll((images) => images.map((image) => image.getAttribute('alt'))),
    ['Two phones'])
  t.same(asked.filter((address) => address.startsWith('https://pictures.example.com')), [])
  t.same(complaints, [])
})
