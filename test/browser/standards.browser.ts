import t from '../tap.js'
import { actor } from '../routes/pse/actors.js'
import { narrow, openWindow, seriousFindings, shoot, signIn, startClient, tabTo, visit } from './browser.js'

const { app, url, page, complaints } = await startClient(t)
const main = page.locator('main')
const go = (path: string, heading?: string) => visit(page, `${url}/#/${path}`, heading)
const rulesOf = async (id: string) => (await actor(app).json(`/standards/${id}`)).rules
const rule = (name: string) => main.getByRole('group', { name, exact: true })
const save = async () => {
  const { version } = await actor(app).json(`/standards/${idOf()}`)
  await page.getByRole('button', { name: 'Save as a new version' }).click()
  await main.getByText(`v${version + 1} ·`).waitFor()
}
const idOf = () => /standards\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
const make = async (title: string, rules: object[]): Promise<string> =>
  String((await actor(app).post('/standards', { title, kind: 'ruleset', rules })).json().standard_id)

const words = {
  rule_id: 'no-vague-words',
  title: 'No vague words',
  statement: '',
  level: 'MUST',
  severity: 'warn',
  target: 'requirements.statement',
  check: { fn: 'forbid', options: { patterns: ['\\bTBD\\b', ' soon$'] } },
  good: [],
  bad: [],
  waivable: true
}

t.test('a standard that comes with Steward is read only, and copied to be edited, by the keyboard alone', async (t) => {
  const { items } = await actor(app).json('/standards?limit=50')
  const builtin = items.find(({ source }: { source: string }) => source === 'builtin')
  await go(`standards/${builtin.standard_id}`, builtin.title)
  await main.getByText('This standard comes with Steward').waitFor()
  t.equal(await main.getByRole('textbox').and(main.locator(':enabled')).count(), 0)
  t.equal(await main.getByRole('button', { name: 'Save as a new version' }).count(), 0)
  t.same(await seriousFindings(page), [])
  await main.locator('summary').first().focus()
  await page.keyboard.press('Enter')
  await main.getByLabel('Id of the rule').first().waitFor()
  t.same(await seriousFindings(page), [])
  await page.evaluate("document.querySelector('main').focus()")
  await tabTo(page, 'Copy to edit')
  await page.keyboard.press('Enter')
  await main.getByRole('heading', { level: 1, name: `Copy of ${builtin.title}` }).waitFor()
  t.same(await rulesOf(idOf()), (await actor(app).json(`/standards/${builtin.standard_id}`)).rules)
  t.equal(await main.getByRole('textbox', { name: 'Title' }).isEnabled(), true)
})

t.test('a standard is made with a rule by the keyboard alone', async (t) => {
  await go('standards/new', 'New standard')
  await main.getByRole('textbox', { name: 'Title' }).focus()
  await page.keyboard.type('By keyboard')
  await tabTo(page, 'Add rule')
  await page.keyboard.press('Enter')
  // The first field of the new rule has the focus; its id follows its name.
  await rule('New rule').waitFor()
  await page.keyboard.type('No vague words')
  await tabTo(page, 'Severity')
  await page.keyboard.type('Err')
  await tabTo(page, 'Patterns (RE2), one in each line')
  await page.keyboard.type('\\bTBD\\b')
  await page.keyboard.press('Enter')
  await page.keyboard.type(' soon$')
  await page.keyboard.press('Enter')
  t.same(await seriousFindings(page), [])
  await shoot(page, 'standard-rule')
  await tabTo(page, 'Create')
  await page.keyboard.press('Enter')
  await main.getByRole('heading', { level: 1, name: 'By keyboard' }).waitFor()
  t.same(await rulesOf(idOf()), [{ ...words, severity: 'error' }])
  const folded = rule('No vague words')
  t.equal(await folded.getAttribute('open'), null, 'a rule that is not new is folded')
  await folded.locator('summary').focus()
  await page.keyboard.press('Enter')
  t.equal(await folded.getByLabel('Id of the rule').inputValue(), 'no-vague-words')
  await tabTo(page, 'Remove “No vague words”')
  await page.keyboard.press('Enter')
  await main.getByText('No rules of its own.').waitFor()
  t.equal(await page.evaluate('document.activeElement.textContent'), 'Add rule', 'the focus is not lost')
})

const every: object[] = [
  { fn: 'required' },
  { fn: 'pattern', options: { patterns: ['a', 'b'], ignore_case: false } },
  { fn: 'substitute', options: { swap: [{ from: 'utilise', to: 'use' }] } },
  { fn: 'occurrence', options: { pattern: 'and', min: 0, max: 2 } },
  { fn: 'length', options: { min: 3, unit: 'words' } },
  { fn: 'enum', options: { field: 'priority', values: ['P1', 'P2'] } },
  { fn: 'schema', options: { required: ['title'] } },
  { fn: 'ears', options: { patterns: ['event', 'state'] } },
  { fn: 'has_acceptance', options: { min: 2 } },
  { fn: 'has_citation', options: { min: 3 } },
  { fn: 'has_verification', options: { methods: ['test', 'analysis'] } },
  { fn: 'readability', options: { max_grade: 9.5 } },
  { fn: 'glossary_only' },
  { fn: 'links_to', options: { field: 'tasks' } },
  { fn: 'review', options: { question: 'Is it worth its price?' } }
]
const targets = ['requirements', 'requirements[level=MUST].title', 'requirements[kind=data]']

t.test('the form shows a rule of every kind, and saves unchanged what nobody changed', async (t) => {
  const rules = every.map((check, at) => ({
    ...words,
    rule_id: `r-${at}`,
    title: `Rule ${at}`,
    target: targets[at % targets.length],
    check,
    fix: 'human',
    good: ['Two\nlines'],
    waivable: false
  }))
  const id = await make('Every kind', rules)
  await go(`standards/${id}`, 'Every kind')
  for (const { title } of rules) await rule(title).locator('summary').click()
  t.same(await seriousFindings(page), [])
  await main.getByRole('textbox', { name: 'What it is for' }).fill('All of us')
  await save()
  t.same(await rulesOf(id), rules)
})

t.test('each option of a check is changed in its fields', async (t) => {
  const id = await make('Changed', [words])
  await go(`standards/${id}`, 'Changed')
  const one = rule('No vague words')
  await one.locator('summary').click()
  await one.getByRole('combobox', { name: 'Check' }).selectOption('length')
  await one.getByLabel('At least').fill('3')
  await one.getByLabel('At most').fill('')
  await one.getByRole('combobox', { name: 'Check' }).selectOption('forbid')
  t.equal(await one.getByLabel('Patterns (RE2), one in each line').inputValue(), '\\bTBD\\b\n soon$')
  await one.getByRole('combobox', { name: 'Check' }).selectOption('length')
  t.equal(await one.getByLabel('At least').inputValue(), '3', 'what was typed for another check is kept')
  await one.getByLabel('Looks at').selectOption('A section')
  await one.getByLabel('Key of the section').fill('risks')
  await one.getByLabel('A person may waive it').uncheck()
  await one.getByLabel('Who corrects it').selectOption('A person')
  await one.getByRole('button', { name: 'Add example' }).first().click()
  await one.getByLabel('Good examples (1)').fill('It opens within 2 s.')
  t.same(await seriousFindings(page), [])
  await save()
  const changed = {
    ...words,
    target: 'sections.risks',
    check: { fn: 'length', options: { min: 3, unit: 'words' } },
    fix: 'human',
    good: ['It opens within 2 s.'],
    waivable: false
  }
  t.same(await rulesOf(id), [changed])
})

t.test('a rule that the server refuses opens, and says what is wrong with it', async (t) => {
  const id = await make('Refused', [words, { ...words, rule_id: 'second', title: 'Second' }])
  await go(`standards/${id}`, 'Refused')
  const one = rule('Second')
  await one.locator('summary').click()
  await one.getByLabel('Patterns (RE2), one in each line').fill('(')
  await one.locator('summary').click()
  await page.getByRole('button', { name: 'Save as a new version' }).click()
  await one.getByText(/^Check › Options › Patterns › 1: /).waitFor()
  t.equal(await rule('No vague words').getAttribute('open'), null)
  t.same(await seriousFindings(page), [])
  await one.getByLabel('Patterns (RE2), one in each line').fill('')
  t.equal(await one.getByText(/^Check › Options/).count(), 0, 'the words go with what they were about')
  await one.locator('summary').click()
  await page.getByRole('button', { name: 'Save as a new version' }).click()
  await one.getByLabel('Patterns (RE2), one in each line').waitFor()
  t.equal((await actor(app).json(`/standards/${id}`)).version, 1, 'an empty field is not sent')
})

t.test('the rules are JSON one click away, and back in the form with what was typed', async (t) => {
  const id = await make('As JSON', [words])
  await go(`standards/${id}`, 'As JSON')
  await page.getByRole('button', { name: 'Edit as JSON' }).click()
  const text = page.getByRole('textbox', { name: 'Rules, as JSON' })
  t.same(JSON.parse(await text.inputValue()), [words])
  const asForm = page.getByRole('button', { name: 'Edit as a form' })
  for (const [wrong, notice] of [
    ['[{', 'The rules are not JSON'],
    ['{}', 'The form shows a list of rules'],
    ['[{ "rule_id": "a" }]', 'The form has no fields for rule 1'],
    [JSON.stringify([words, { ...words, check: { fn: 'forbid', options: { patterns: 'TBD' } } }]), 'for rule 2'],
    [JSON.stringify([{ ...words, check: { fn: 'later', options: {} } }]), 'for rule 1']
  ] as const) {
    await text.fill(wrong)
    await asForm.click()
    await main.getByText(notice).waitFor()
    t.equal(await text.inputValue(), wrong, 'what was typed stays')
  }
  t.same(await seriousFindings(page), [])
  await text.fill(JSON.stringify([{ ...words, title: 'From JSON' }]))
  await asForm.click()
  await rule('From JSON').waitFor()
  await save()
  t.same(await rulesOf(id), [{ ...words, title: 'From JSON' }])
})

t.test('leaving the page asks first once a rule was removed', async (t) => {
  const id = await make('Guarded', [words])
  await go(`standards/${id}`, 'Guarded')
  await rule('No vague words').locator('summary').click()
  await page.getByRole('button', { name: 'Remove “No vague words”' }).click()
  await main.getByRole('link', { name: 'Standards' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await main.getByRole('heading', { level: 1, name: 'Standards' }).waitFor()
  t.same(await rulesOf(id), [words])
})

t.test('the form is usable in the dark, at full width and in 360 px, and in German', async (t) => {
  const id = await make('Narrow', [words])
  await narrow(t, { app, url }, ['standards/new', `standards/${id}`])
  const german = await openWindow(t, { viewport: { width: 360, height: 740 }, locale: 'de-DE' })
  await signIn(german, app, url)
  await visit(german.page, `${url}/#/standards/${id}`, 'Narrow')
  await german.page.locator('summary', { hasText: 'Keins der Muster kommt vor' }).click()
  await german.page.getByLabel('Muster (RE2), eins je Zeile').waitFor()
  t.equal(await german.page.evaluate('document.documentElement.scrollWidth'), 360)
  t.same(await seriousFindings(german.page), [])
  await shoot(german.page, 'standard-rule-small')
  t.same(german.complaints, [])
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
