import t from '../tap.js'
import { simpleParser, startSmtpSandbox } from 'steward-sandbox/smtp'
import {
  confirmationOf, countProjects, decideAs, endOf, makePeople, proposeProject, requireApprovals, type Person
} from '../flows/voting.js'
import { callerOf, work } from '../routes/channels/world.js'
import { judgeDark, openWindow, seriousFindings, shoot, signIn, startClient, visit } from './browser.js'

const smtp = await startSmtpSandbox()
t.teardown(() => smtp.close())
const steward = await startClient(t, {
  SMTP_URL: smtp.url, MAIL_FROM: 'steward@example.com', OUTBOUND_ALLOW: '127.0.0.1'
})
const { app, url, page, complaints } = steward
const [ada, bea] = await makePeople(app, ['Ada', 'Bea']) as [Person, Person]
const call = callerOf(app)
const lastMail = () => simpleParser(smtp.mails.at(-1)?.data ?? '')
const mail = { kind: 'email', name: 'Mail', address: 'ada@example.com', events: ['asked'] }
const { channel } = (await call(ada.headers, 'POST', '', mail)).json()
const code = /: (\w{12})$/.exec(lastMail().headers.subject ?? '')?.[1]
await call(ada.headers, 'POST', `/${channel.id}/confirm`, { code })

/** Ada asks, and is mailed. @returns what she asked, and where the mail leads to */
const askByMail = async (name: string, needs: Parameters<typeof requireApprovals>[2] = {}) => {
  const asked = await proposeProject(app, ada.headers, name)
  await requireApprovals(app, asked.confirmation.id, needs)
  await work(app)
  const link = /\S+\/#\/inbox\/\S+/.exec(lastMail().text)?.[0] ?? ''
  return { asked, path: new URL(link).hash }
}

/** @returns a window of a person who has signed in */
const windowOf = async (person: Person, size = { width: 1280, height: 820 }) => {
  const opened = await openWindow(t, { viewport: size })
  await signIn(opened, app, url, person.id)
  return opened.page
}
const facts = (of = page) => of.getByRole('region', { name: 'Details' })

t.test('a mail\'s link leads to its question; decided there, the page says by whom and what came of it', async (t) => {
  const { asked, path } = await askByMail('Harbour')
  const hers = await windowOf(ada)
  await visit(hers, `${url}/${path}`, 'Create project')
  await hers.waitForURL((at) => !at.hash.includes('from='))
  t.equal(new URL(hers.url()).hash, `#/inbox/${asked.confirmation.id}`, 'an address that may be sent to others')
  await facts(hers).getByText('1 person who may approve it').waitFor()
  t.same(await seriousFindings(hers), [])
  await shoot(hers, 'question-of-mail')
  await hers.locator('.approval.pending').focus()
  await hers.keyboard.press('a')
  await hers.getByRole('region', { name: 'Result' }).getByText('Harbour').first().waitFor()
  await facts(hers).getByText(/^Ada, /).nth(1).waitFor()
  t.match(await endOf(app, ada.headers, asked), { status: 'succeeded' })
  t.equal(await countProjects(app, 'Harbour'), 1)
  t.same(await seriousFindings(hers), [])
  await shoot(hers, 'question-decided')
})

t.test('the link of another leads nowhere, says so, and leaves the question as it was', async (t) => {
  const { asked, path } = await askByMail('Lighthouse')
  const theirs = await windowOf(bea)
  await visit(theirs, `${url}/${path}`, 'Not found')
  await theirs.getByText('This link was sent to another person, who is notified that you opened it.').waitFor()
  t.equal(await theirs.getByText('Lighthouse').count(), 0)
  t.same(await seriousFindings(theirs), [])
  await shoot(theirs, 'question-of-another')
  await judgeDark(t, theirs, 'the link of another')
  t.match(await confirmationOf(app, ada, asked.confirmation.id), { status: 'pending', votes: [] })
  await decideAs(app, ada, asked, false)
})

t.test('who may approve it may have the link from anybody, and votes there', async (t) => {
  const { asked, path } = await askByMail('Quay', { approvals: 2 })
  await visit(page, `${url}/${path}`, 'Create project')
  await page.locator('.approval.pending').focus()
  await page.keyboard.press('a')
  await page.getByRole('list', { name: 'Votes' }).getByText('Administrator').waitFor()
  await page.waitForURL((at) => !at.hash.includes('from='))
  t.equal(await page.getByText('This link was sent to another person').count(), 0)
  t.match(await confirmationOf(app, ada, asked.confirmation.id), { votes: [{ decision: 'approve' }] })
  await decideAs(app, ada, asked, false)
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})
