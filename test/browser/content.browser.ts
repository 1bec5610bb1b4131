import t, { type Test } from '../tap.js'
import { asAdmin } from '../app.js'
import { actor, draft, makeBrief, makeProject, setBrand } from '../routes/content/actors.js'
import { webp } from '../routes/content/image-bytes.js'
import { choose, narrow, seriousFindings, shoot, startClient, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const main = page.locator('main')
const go = (path: string, heading: string) => visit(page, `${url}/#/${path}`, heading)

t.test('without projects the pages show the first step', async (t) => {
  await go('projects', 'Projects')
  await main.getByText('No projects').waitFor()
  t.same(await seriousFindings(page), [])
  await go('content', 'Content')
  await main.getByText('No content here').waitFor()
  t.same(await seriousFindings(page), [])
  await go('briefs/new', 'New brief')
  await main.getByText('There is no project yet').waitFor()
})

t.test('a project is made, renamed and archived', async (t) => {
  await go('projects', 'Projects')
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Shop')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'Edit Shop' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Larkspur shop')
  await page.getByRole('button', { name: 'Save' }).click()
  await main.getByRole('link', { name: 'Larkspur shop' }).waitFor()
  await shoot(page, 'projects')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Archive Larkspur shop' }).click()
  await main.getByText('No projects').waitFor()
  const archived = await app.inject({ url: '/account/projects?archived=true', headers: asAdmin })
  t.same(archived.json<{ items: { name: string }[] }>().items.map(({ name }) => name), ['Larkspur shop'])
})

t.test('a brand gets a banned term and a feed, and keeps what was not touched', async (t) => {
  const project = await makeProject(app, 'Brand of its own')
  await setBrand(app, project, { min_score: 42 })
  await go(`projects/${project}/terms`, 'Brand of its own')
  await page.getByRole('button', { name: 'Add banned term' }).click()
  await page.getByRole('textbox', { name: 'Term' }).fill('synergy')
  t.same(await seriousFindings(page), [])
  await page.getByRole('link', { name: 'Publishing' }).click()
  await page.getByRole('button', { name: 'Add target' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Feed')
  await shoot(page, 'brand')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Save the brand' }).click()
  await page.getByText('Version 2').waitFor()
  const brand = (await actor(app).get(`/brands/${project}`)).json()
  t.same(brand.terms.banned.map(({ term }: { term: string }) => term), ['synergy'])
  t.same(brand.publish_targets.map(({ kind, name }: Record<string, string>) => [kind, name]), [['feed', 'Feed']])
  t.equal(brand.min_score, 42)
})

t.test('a brief is written with facts, and drafts are made of it', async (t) => {
  await makeProject(app, 'Launch')
  await go('briefs/new', 'New brief')
  await choose(page.getByRole('combobox', { name: 'Project' }), 'Launch')
  await page.getByRole('textbox', { name: 'Title' }).fill('One-tap pay')
  await page.getByRole('textbox', { name: 'Key message' }).fill('One-tap pay is here')
  await page.getByRole('button', { name: 'Add fact' }).click()
  await page.getByRole('textbox', { name: 'Fact', exact: true }).fill('A checkout took 21 seconds')
  await page.getByRole('textbox', { name: 'Where' }).fill('https://example.com/study')
  await page.getByRole('textbox', { name: 'Point' }).fill('Checkout is quick')
  await page.getByRole('textbox', { name: 'Rests on facts' }).fill('f1, ')
  await shoot(page, 'brief-new')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Create' }).click()
  await main.getByRole('heading', { level: 1, name: 'One-tap pay' }).waitFor()
  await page.getByRole('button', { name: 'Make drafts' }).click()
  await main.locator('tbody').getByRole('link').waitFor()
  await shoot(page, 'brief')
  t.same(await seriousFindings(page), [])
  const { items: [brief] } = (await actor(app).json('/briefs')) as { items: Record<string, unknown>[] }
  t.match(brief, { status: 'in_use', points: [{ text: 'Checkout is quick', fact_ids: ['f1'] }] })
})

t.test('a document is put into a brief, and its sentences are accepted as facts with the keyboard', async (t) => {
  const brief = await makeBrief(app, await makeProject(app, 'Sourced'), { facts: [], points: [{ text: 'One', fact_ids: [] }] })
  await go(`briefs/${brief.id}`, brief.title)
  const sources = page.getByRole('region', { name: 'Sources' })
  const buffer = Buffer.from('# Study\n\nA checkout took 21 seconds. Twelve shops took part.\n')
  await sources.getByLabel('Document').setInputFiles({ name: 'study.md', mimeType: 'text/markdown', buffer })
  const second = sources.getByRole('checkbox', { name: 'Twelve shops took part.' })
  await second.focus()
  await page.keyboard.press('Space')
  await shoot(page, 'brief-sources')
  t.same(await seriousFindings(page), [])
  await page.keyboard.press('Enter')
  await sources.getByText('1 facts').waitFor()
  const { facts } = (await actor(app).get(`/briefs/${brief.id}`)).json()
  t.match(facts, [{ id: 'f1', text: 'Twelve shops took part.', source: { kind: 'file', ref: 'study.md' } }])
})

t.test('a brief is changed, and archived', async (t) => {
  const brief = await makeBrief(app, await makeProject(app, 'Changed'))
  await go(`briefs/${brief.id}`, brief.title)
  await page.getByRole('textbox', { name: 'Key message' }).fill('Something else')
  await page.getByRole('button', { name: 'Save' }).click()
  await main.locator('.page-head').getByText('Something else').waitFor()
  await page.getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('button', { name: 'Restore', exact: true }).waitFor()
  t.match((await actor(app).get(`/briefs/${brief.id}`)).json(), { key_message: 'Something else', status: 'archived' })
})

const makeRecord = async (name: string, brand: object, more: object) => {
  const project = await makeProject(app, name)
  await setBrand(app, project, brand)
  const made = await actor(app).post('', draft(project, more))
  return made.json<{ id: string, title: string }>()
}

t.test('findings are marked where they stand; one is put right, one is waived', async (t) => {
  const terms = {
    banned: [{ term: 'synergy', replacement: 'teamwork' }, { term: 'disrupt', match: 'phrase' }]
  }
  const text = 'We find 😀 synergy, and we disrupt markets.'
  const record = await makeRecord('Findings', { terms }, { body_markdown: text })
  await go(`content/${record.id}`, record.title)
  const marks = main.locator('mark.bad')
  await marks.nth(1).waitFor()
  t.same(await marks.allTextContents(), ['synergy', 'disrupt'], 'offsets count UTF-16 units')
  await page.getByRole('button', { name: 'Show “disrupt”' }).click()
  await main.locator('mark.active', { hasText: 'disrupt' }).waitFor()
  t.equal(await main.locator('mark.active').count(), 1)
  await shoot(page, 'content')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: /Fix \d+/ }).click()
  await main.locator('.marked-text', { hasText: 'teamwork' }).waitFor()
  const finding = main.locator('.finding', { has: page.getByRole('button', { name: 'Show “disrupt”' }) })
  await finding.getByRole('button', { name: /Waive/ }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('It is the name of the fair')
  t.same(await seriousFindings(page), [])
  await page.getByRole('dialog').getByRole('button', { name: 'Waive' }).click()
  await main.getByText('waived', { exact: true }).waitFor()
  await marks.first().waitFor({ state: 'detached' })
})

t.test('each sentence has its verdict, and what no fact says is accepted by a person with the keyboard', async (t) => {
  const project = await makeProject(app, 'Statements')
  const brief = await makeBrief(app, project)
  const body_markdown = 'A checkout took 21 seconds.[^f1]\n\nIt took 99 seconds before.\n\n[^f1]: A study\n'
  const record = (await actor(app).post('', draft(project, { brief_id: brief.id, body_markdown, title: 'Proved' }))).json<{ id: string }>()
  await go(`content/${record.id}`, 'Proved')
  const statements = page.getByRole('region', { name: 'Statements' })
  await statements.getByText('1 open').waitFor()
  t.same(await statements.getByRole('listitem').locator('.badge').allTextContents(), ['does not follow', 'not checked'])
  await statements.getByText('2 of 2', { exact: false }).or(statements.getByText('1 of 2', { exact: false })).first().waitFor()
  await shoot(page, 'statements')
  t.same(await seriousFindings(page), [])
  await statements.getByRole('button', { name: /Accept as mine/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Why it is so, if you like' }).fill('We measured it')
  await page.keyboard.press('Enter')
  await statements.getByText(/^ · Accepted by|Accepted by/).waitFor()
  t.equal(await statements.getByText('1 open').count(), 0)
  t.match((await actor(app).json(`/${record.id}/statements`)).items[1], { verdict: 'not', accepted: { because: 'We measured it' } })
})

t.test('a text is edited, checked before it is saved, compared with what it was, and restored', async (t) => {
  const record = await makeRecord('Versions', {}, { body_markdown: 'The first text of all.' })
  await go(`content/${record.id}/edit`, record.title)
  await page.getByRole('textbox', { name: 'Text, in Markdown' }).fill('The second text of all.')
  await page.getByRole('button', { name: 'Check now' }).click()
  await main.getByText(/Score \d+/).waitFor()
  await shoot(page, 'content-edit')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Save as a new version' }).click()
  await main.locator('.marked-text', { hasText: 'second' }).waitFor()
  await page.getByRole('link', { name: 'Versions' }).click()
  await main.locator('.diff ins').waitFor()
  t.same(await main.locator('.diff ins, .diff del').allTextContents(), ['removed: first', 'added: second'])
  await shoot(page, 'content-versions')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Restore v1' }).click()
  await main.getByText('v3', { exact: true }).waitFor()
  t.equal((await actor(app).get(`/${record.id}`)).json().body_markdown, 'The first text of all.')
})

/** Looks at what the dialog that is open would change, and approves it. */
const approve = async (t: Test) => {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Show what changes' }).click()
  await dialog.locator('.preview').waitFor()
  t.same(await seriousFindings(page), [])
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
}

t.test('content goes through its review, is published, and is taken back', async (t) => {
  const brand = {
    min_score: 0,
    approval: { self_approval: true },
    publish_targets: [{ kind: 'feed', name: 'Our feed', config: {} }]
  }
  const record = await makeRecord('Published', brand, {})
  await go(`content/${record.id}`, record.title)
  await page.getByRole('button', { name: 'Ask for review' }).click()
  await page.getByRole('button', { name: 'Ask for changes' }).click()
  await page.getByRole('textbox', { name: 'What to change' }).fill('Shorter')
  await page.getByRole('button', { name: 'Send back' }).click()
  await page.getByRole('button', { name: 'Ask for review' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('checkbox', { name: /Our feed/ }).waitFor()
  await shoot(page, 'publish')
  t.same(await seriousFindings(page), [])
  await approve(t)
  await main.locator('tbody').getByText('succeeded').waitFor()
  await page.getByRole('button', { name: 'Unpublish' }).click()
  await approve(t)
  await main.getByText('unpublish v1').waitFor()
  await shoot(page, 'publications')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await main.getByRole('heading', { level: 1, name: 'Content' }).waitFor()
  t.equal((await actor(app).get(`/${record.id}`)).statusCode, 404)
})

t.test('what is scheduled can be cancelled', async (t) => {
  const brand = {
    min_score: 0,
    approval: { self_approval: true },
    publish_targets: [{ kind: 'feed', name: 'Our feed', config: {} }]
  }
  const record = await makeRecord('Scheduled', brand, {})
  for (const to of ['in_review', 'approved']) await actor(app).post(`/${record.id}/transitions`, { to })
  await go(`content/${record.id}`, record.title)
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('combobox', { name: 'When' }).selectOption('later')
  await page.getByLabel(/Time in/).fill(`${new Date().getFullYear() + 1}-03-10T09:30`)
  await approve(t)
  await main.locator('.page-head').getByText('scheduled').waitFor()
  await page.getByRole('button', { name: 'Cancel Our feed' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  // The card that asks says "cancelled", too: the badge of the page is of what was done.
  await main.locator('.page-head').getByText('approved').waitFor()
  await main.locator('tbody').getByText('cancelled').first().waitFor()
  t.equal((await actor(app).get(`/${record.id}`)).json().status, 'approved')
})

t.test('an image is uploaded and described, and seen at each target before anybody approves it', async (t) => {
  const record = await makeRecord('Pictured', {
    publish_targets: [
      { kind: 'feed', name: 'Our feed', config: {} }, {
        kind: 'wordpress',
        name: 'Our blog',
        config: { url: 'https://blog.example', username: 'ada' },
        secret: 'abcd EFGH 1234 ijkl'
      }
    ]
  }, { body_markdown: 'Pay with one tap.[^1]\n\n[^1]: [The study](https://example.com/study)\n' })
  await go(`content/${record.id}/edit`, record.title)
  const file = page.getByLabel('Upload an image')
  await file.focus()
  await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') })
  await main.getByText('The file is neither PNG, JPEG, GIF nor WebP').waitFor()
  await file.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(webp, 'base64') })
  await page.getByRole('textbox', { name: 'What it shows' }).fill('A hand taps [once]')
  await page.getByRole('button', { name: 'Put it into the text' }).press('Enter')
  t.match(await page.getByRole('textbox', { name: 'Text, in Markdown' }).inputValue(),
    /!\[A hand taps \\\[once\\\]\]\(http:.*\/content\/images\/[\da-f-]{36}\.webp\)\n$/)
  await page.getByRole('button', { name: 'Choose from the project' }).press('Enter')
  await page.getByRole('button', { name: 'Take image 1, 8 × 6' }).waitFor()
  await shoot(page, 'content-images')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Save as a new version' }).click()
  await page.getByRole('link', { name: 'Preview' }).click()
  const blog = page.getByRole('region', { name: 'Our blog' })
  await blog.locator('.page-preview img').waitFor()
  const shown = await blog.getByRole('img', { name: 'A hand taps [once]' }).evaluateAll((images) =>
    // Only images have the role, and this is a program of the page, whose types are not known here.
    Promise.all((images as unknown as { loading: string, decode: () => Promise<void>, naturalWidth: number }[])
      .map(async (image) => {
        image.loading = 'eager'
        await image.decode()
        return image.naturalWidth
      })))
  t.same(shown, [8, 8], 'the featured image, and that of the text')
  await shoot(page, 'content-preview')
  t.same(await seriousFindings(page), [])
})

t.test('posts are seen as a thread, and a text to paste is there whole', async (t) => {
  const targets = [{ kind: 'linkedin', name: 'Our page', config: {} }]
  const record = await makeRecord('Thread', { publish_targets: targets }, {
    channel: 'social',
    network: 'linkedin',
    body_markdown: '',
    fields: { posts: [{ text: 'First.' }, { text: 'Second.' }] }
  })
  await go(`content/${record.id}/preview`, record.title)
  t.equal(await page.getByRole('textbox', { name: 'Text to paste at LinkedIn' }).inputValue(), 'First.\n\nSecond.')
  t.same(await seriousFindings(page), [])
})

t.test('what a target needs is set where it is made', async (t) => {
  const project = await makeProject(app, 'Targets')
  await setBrand(app, project, {})
  await go(`projects/${project}/targets`, 'Targets')
  await page.getByRole('button', { name: 'Add target' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Blog')
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('wordpress')
  await page.getByRole('textbox', { name: 'Address' }).fill('https://blog.example')
  await page.getByRole('textbox', { name: 'User' }).fill('ada')
  await page.getByRole('textbox', { name: 'Application password' }).fill('abcd EFGH 1234 ijkl')
  await page.getByRole('textbox', { name: 'Categories' }).fill('news, products')
  await page.getByRole('textbox', { name: 'Author' }).fill('ada')
  await page.getByRole('checkbox', { name: 'Make drafts' }).check()
  await page.getByText('What it takes').click()
  await page.getByRole('checkbox', { name: 'Blog' }).check()
  await shoot(page, 'brand-targets')
  t.same(await seriousFindings(page), [])
  await page.getByRole('button', { name: 'Save the brand' }).click()
  await page.getByText('Version 2').waitFor()
  t.match((await actor(app).get(`/brands/${project}`)).json().publish_targets, [{
    kind: 'wordpress',
    channels: ['blog'],
    config: { url: 'https://blog.example', username: 'ada', categories: ['news', 'products'], author: 'ada', draft: true }
  }])
})

t.test('every page of content is usable in the dark, at full width and in 360 px', async (t) => {
  const record = await makeRecord('Small', { terms: { banned: [{ term: 'tap' }] } }, {})
  const { project_id: project } = (await actor(app).get(`/${record.id}`)).json()
  const brief = await makeBrief(app, project)
  const tabs = ['text', 'preview', 'edit', 'versions', 'publications'].map((tab) => `content/${record.id}/${tab}`)
  const brand = ['voice', 'terms', 'rules', 'targets', 'whole'].map((tab) => `projects/${project}/${tab}`)
  await narrow(t, { app, url }, ['projects', 'briefs/new', `briefs/${brief.id}`, ...tabs, ...brand])
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
