import t from '../tap.js'
import { asAdmin } from '../app.js'
import { makePerson } from '../routes/account/actors.js'
import { actor, draft, makeProject, setBrand } from '../routes/content/actors.js'
import { choose, narrow, seriousFindings, shoot, startClient, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const main = page.locator('main')
const { put, post, json } = actor(app)
const go = (path: string, heading: string) => visit(page, `${url}/#/${path}`, heading)

const brand = {
  min_score: 0,
  approval: { self_approval: true },
  locales: { default: 'en', enabled: ['en', 'de'] },
  terms: { banned: [{ term: 'synergy', replacement: 'teamwork' }, { term: 'utilize', replacement: 'use' }] },
  publish_targets: [{ kind: 'feed', name: 'Our feed', config: {} }]
}
const makeRecord = async (name: string, more: object) => {
  const project = await makeProject(app, name)
  await setBrand(app, project, brand)
  const made = await post('', draft(project, more))
  return made.json<{ id: string, title: string, slug: string, project_id: string }>()
}

/** Selects words in the text, as a mouse does. */
const select = (words: string, nth: number) => page.evaluate(`(() => {
  const holder = document.querySelector('[data-field="body_markdown"] .marked-text')
  const texts = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT)
  let at = -1
  for (let i = 0; i <= ${nth}; i++) at = holder.textContent.indexOf(${JSON.stringify(words)}, at + 1)
  const range = document.createRange()
  let seen = 0
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const end = seen + node.data.length
    if (at >= seen && at < end) range.setStart(node, at - seen)
    if (at + ${words.length} > seen && at + ${words.length} <= end) range.setEnd(node, at + ${words.length} - seen)
    seen = end
  }
  getSelection().removeAllRanges()
  getSelection().addRange(range)
})()`)

const text = 'Alpha pays with a tap. Beta pays with a tap. Gamma pays with a tap.'

t.test('an editor comments on selected words, replies, and sees the comment follow the text', async (t) => {
  const record = await makeRecord('Comments', { title: 'Commented', body_markdown: text })
  await go(`content/${record.id}/comments`, record.title)
  await main.getByText('No comments').waitFor()
  t.same(await seriousFindings(page), [])
  await select('pays with a tap', 1)
  await page.getByRole('button', { name: 'Comment on the selection' }).click()
  await page.getByRole('textbox', { name: 'Comment' }).fill('<b>Really</b>?')
  t.same(await seriousFindings(page), [])
  await page.getByRole('dialog').getByRole('button', { name: 'Comment' }).click()
  await main.locator('.said', { hasText: '<b>Really</b>?' }).waitFor()
  t.equal((await json(`/${record.id}/comments`)).items[0].position.start, 28, 'the second of three')
  await main.getByText('Reply', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Your reply' }).fill('Yes.')
  await page.getByRole('button', { name: 'Send the reply' }).click()
  await main.locator('.said', { hasText: 'Yes.' }).waitFor()
  await shoot(page, 'desk-comments')
  t.same(await seriousFindings(page), [])
  const { title, slug } = record
  const edited = text.replace('Beta pays with a tap', 'Beta pays you with one tap')
  await put(`/${record.id}`, { title, slug, body_markdown: edited })
  await go(`content/${record.id}/comments`, record.title)
  await main.getByText('changed since').waitFor()
  await main.getByRole('button', { name: /^Show/ }).click()
  t.same(await main.locator('mark.active').allTextContents(), ['pays you with one tap'])
  await put(`/${record.id}`, { title, slug, body_markdown: 'Nothing of it.' })
  await go(`content/${record.id}/comments`, record.title)
  await main.getByText('no longer in the text').waitFor()
  await main.locator('.quote', { hasText: 'pays with a tap' }).waitFor()
  await shoot(page, 'desk-comment-gone')
  await page.getByRole('button', { name: 'Resolve' }).click()
  await main.getByText('No comments').waitFor()
  await page.getByRole('combobox', { name: 'Which comments' }).selectOption('resolved')
  await page.getByRole('button', { name: 'Open again' }).waitFor()
})

t.test('with the keyboard alone, words that occur three times are chosen among', async (t) => {
  const record = await makeRecord('Keys', { title: 'By keys', body_markdown: text })
  await go(`content/${record.id}/comments`, record.title)
  await page.getByRole('button', { name: 'Comment', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Words' }).fill('pays with a tap')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Which?')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const choice = page.getByRole('combobox', { name: 'Which of them' })
  await choice.waitFor()
  t.equal(await choice.locator('option').count(), 3)
  await choice.selectOption({ index: 2 })
  t.same(await seriousFindings(page), [])
  await page.getByRole('dialog').getByRole('button', { name: 'Comment' }).press('Enter')
  await main.locator('.said', { hasText: 'Which?' }).waitFor()
  t.equal((await json(`/${record.id}/comments`)).items[0].position.start, 51)
})

t.test('a reviewer is assigned, found in the list, and shown when another person approves', async (t) => {
  const record = await makeRecord('Reviews', { title: 'Reviewed' })
  const ada = await makePerson(app, 'Ada', 'approver')
  await go(`content/${record.id}`, record.title)
  await page.getByRole('button', { name: 'Assign a reviewer' }).click()
  await choose(page.getByRole('combobox', { name: 'Reviewer' }), 'Ada')
  t.same(await seriousFindings(page), [])
  await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click()
  await main.getByText('Reviewer: Ada').waitFor()
  await page.getByRole('button', { name: 'Ask for review' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await main.getByText('approved by Administrator instead').waitFor()
  await shoot(page, 'desk-reviewer')
  t.same(await seriousFindings(page), [])
  await go('content', 'Content')
  await choose(page.getByRole('combobox', { name: 'Reviewer' }), 'Ada')
  await main.locator('tbody tr').first().getByText('Ada').waitFor()
  t.equal(await main.locator('tbody tr').count(), 1)
  await app.inject({
    method: 'PATCH', url: `/account/users/${ada.id}`, headers: asAdmin, payload: { status: 'disabled' }
  })
  await go(`content/${record.id}`, record.title)
  await main.getByText('has left the workspace').waitFor()
})

t.test('repairs are taken back singly, and two versions are compared with their findings', async (t) => {
  const record = await makeRecord('Repairs', { title: 'Repaired', body_markdown: 'We utilize synergy.\n\nIt stays.\n' })
  await go(`content/${record.id}`, record.title)
  await page.getByRole('button', { name: /Fix \d+/ }).click()
  await main.locator('.marked-text', { hasText: 'We use teamwork.' }).waitFor()
  await page.getByRole('link', { name: 'Repairs' }).click()
  await main.getByRole('button', { name: 'Undo “synergy” → “teamwork”' }).waitFor()
  await shoot(page, 'desk-repairs')
  t.same(await seriousFindings(page), [])
  await main.getByRole('button', { name: 'Undo “synergy” → “teamwork”' }).click()
  await main.getByText('taken back in v3').waitFor()
  t.equal((await json(`/${record.id}`)).body_markdown, 'We use synergy.\n\nIt stays.\n')
  await page.getByRole('link', { name: 'Compare' }).click()
  await main.locator('.sides ins', { hasText: 'synergy' }).waitFor()
  await page.getByRole('combobox', { name: 'From' }).selectOption('1')
  await main.locator('.sides del', { hasText: 'utilize' }).waitFor()
  await main.locator('li', { hasText: 'Gone' }).filter({ hasText: 'utilize' }).waitFor()
  await main.locator('li', { hasText: 'Stays' }).filter({ hasText: 'synergy' }).waitFor()
  await shoot(page, 'desk-compare')
  t.same(await seriousFindings(page), [])
})

t.test('a translation shows what changed in its source, and is marked as up to date', async (t) => {
  const source = await makeRecord('Translations', { title: 'Source', body_markdown: 'The first text.' })
  const own = draft(source.project_id, { title: 'Quelle', locale: 'de', body_markdown: 'Der erste Text.' })
  const { id } = (await post('', own)).json()
  await go(`content/${id}/translation`, 'Quelle')
  await page.getByRole('button', { name: 'Say what it translates' }).click()
  await page.getByRole('combobox', { name: 'Source' }).selectOption({ label: 'Source (en)' })
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await main.getByText('up to date', { exact: true }).waitFor()
  await put(`/${source.id}`, { title: 'Source', slug: source.slug, body_markdown: 'The second text.' })
  await go('content/desk', 'Desk')
  await main.getByRole('link', { name: 'Quelle' }).waitFor()
  await shoot(page, 'desk-list')
  t.same(await seriousFindings(page), [])
  await main.getByRole('link', { name: 'Quelle' }).click()
  await main.getByRole('link', { name: 'See what changed' }).click()
  await main.locator('.diff ins', { hasText: 'second' }).waitFor()
  await shoot(page, 'desk-translation')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Mark as up to date with v2' }).click()
  await main.getByText('up to date', { exact: true }).waitFor()
  await main.getByText('The source of this translation has moved on').waitFor({ state: 'detached' })
})

t.test('the calendar shows what is scheduled, month by month, and gives it as iCalendar', async (t) => {
  const record = await makeRecord('Calendar', { title: 'Scheduled' })
  for (const to of ['in_review', 'approved']) await post(`/${record.id}/transitions`, { to })
  const next = new Date()
  const at = new Date(next.getFullYear(), next.getMonth() + 1, 15, 9, 30)
  t.equal((await post(`/${record.id}/publish`, { publish_at: at.toISOString() })).statusCode < 300, true)
  await go('content/calendar', 'Calendar')
  await main.getByRole('region', { name: 'What is scheduled' }).getByRole('link', { name: 'Scheduled' }).waitFor()
  await page.getByRole('button', { name: 'Next month' }).focus()
  await page.keyboard.press('Enter')
  await main.locator('.month td', { hasText: '15' }).getByRole('link', { name: 'Scheduled' }).waitFor()
  await shoot(page, 'desk-calendar')
  t.same(await seriousFindings(page), [])
  const link = page.getByRole('link', { name: 'iCal file' })
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  t.equal(file.suggestedFilename(), 'content.ics')
})

t.test('another calendar subscribes by an address that is shown once, and deleted', async (t) => {
  await go('content/calendar', 'Calendar')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await main.getByRole('textbox', { name: 'Name' }).fill('Phone')
  await main.getByRole('button', { name: 'Make an address' }).click()
  const address = await main.getByLabel('Address', { exact: true }).inputValue()
  const answer = await app.inject({ url: new URL(address).pathname })
  t.match([answer.statusCode, answer.payload], [200, /SUMMARY:Publish "Scheduled"/])
  await main.getByRole('button', { name: 'Delete: Phone' }).click()
  await main.getByRole('cell', { name: 'Phone', exact: true }).waitFor({ state: 'detached' })
  t.equal((await app.inject({ url: new URL(address).pathname })).statusCode, 404)
  t.same(await seriousFindings(page), [])
})

t.test('who wrote a comment changes it, and deletes it', async (t) => {
  const record = await makeRecord('Own comment', { title: 'Own comment', body_markdown: 'One tap pays.' })
  await post(`/${record.id}/comments`, { text: 'Is it so?', passage: { field: 'body_markdown', exact: 'One tap' } })
  await go(`content/${record.id}/comments`, 'Own comment')
  await main.getByText('Is it so?').waitFor()
  await main.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Comment').fill('Is it really so?')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await main.getByText('Is it really so?').waitFor()
  await main.getByRole('region', { name: 'Comments' }).getByRole('button', { name: 'Delete', exact: true }).click()
  await main.getByText('Is it really so?').waitFor({ state: 'detached' })
  t.same((await json(`/${record.id}/comments`)).items, [])
})

t.test('every page of the desk is usable in the dark, at full width and in 360 px', async (t) => {
  const record = await makeRecord('Small', { title: 'Small', body_markdown: 'We utilize synergy.\n\nIt stays.\n' })
  await post('/generate', { mode: 'repair', engine: 'template', content_id: record.id })
  await post(`/${record.id}/comments`, { text: 'Hm', passage: { field: 'body_markdown', exact: 'It stays' } })
  const tabs = ['comments', 'compare', 'repairs', 'translation'].map((tab) => `content/${record.id}/${tab}`)
  await narrow(t, { app, url }, ['content/desk', 'content/calendar', 'content', ...tabs])
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
