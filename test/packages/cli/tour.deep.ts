import { readFileSync, writeFileSync } from 'node:fs'
import t from '../../tap.js'
import { startChatApp } from '../../chat.js'
import { enterCode } from '../../oauth.js'
import { makePerson } from '../../routes/account/actors.js'
import { makeApp } from '../../routes/deployments/actors.js'
import { Visitor } from '../../visitor.js'
import { commandsOf, masked, type Command } from './command.js'

// Runs each line of the tour of docs/cli.md in a shell, and compares what a terminal shows with what stands there.
// UPDATE_TOUR=1 writes it anew.
const file = 'docs/cli.md'
const shownServer = 'https://steward.example.com'
const prompt = 'Approve? (yes / no / later) '

const { app, url } = await startChatApp(t, { SANDBOX: 'auto' })
const { cookie } = await makePerson(app, 'Ada', 'admin').then(({ headers }) => headers)
const visitor = new Visitor(url, cookie)
const { inShell } = commandsOf(t, { NO_COLOR: '1' })
await makeApp(app, 'shop')

interface Step { line: string, shown: string }

const page = readFileSync(file, 'utf8')
const [, before = '', tour = '', after = ''] = /^([^]*\n## A tour\n[^]*?```console\n)([^]*?)(```\n[^]*)$/.exec(page) ?? []

/** @returns each command line with what stands below it */
const stepsOf = (text: string): Step[] => text.split(/^\$ /m).slice(1).map((part) => {
  const at = part.indexOf('\n')
  return { line: part.slice(0, at), shown: part.slice(at + 1) }
})

/** Enters the code of a sign-in, and lets the command approve. */
const letIn = async (shown: string): Promise<void> => {
  const [, code = ''] = /and enter ([A-Z-]+)/.exec(shown) ?? []
  const id = await enterCode(visitor, `${url}/oauth/device`, code)
  const { body: { scopes } } = await visitor.json('GET', `/oauth/consents/${id}/request`)
  await visitor.decide(id, { decision: 'allow', scopes: [...scopes as string[], 'approvals:write'] })
}

/** Does what the person of the tour does while the command waits. */
const answer = async (command: Command, { line, shown }: Step): Promise<void> => {
  if (/^steward login/.test(line)) return letIn(await command.until('Waiting …'))
  const at = shown.indexOf(prompt)
  if (at === -1) return
  await command.until(prompt)
  command.type(`${shown.slice(at + prompt.length).split('\n')[0] ?? ''}\n`)
}

const carryOut = async (step: Step): Promise<string> => {
  const command = inShell(step.line.replaceAll(shownServer, url))
  const [{ out }] = await Promise.all([command.ended, answer(command, step)])
  return out.replaceAll('\r', '').replaceAll(url, shownServer)
}

/** What differs from one time to the next: ids, times, figures, and the lines of a log. */
const compared = (text: string): string => masked(text)
  .replace(/\b[A-Z]{4}-[A-Z]{4}\b/g, '<code>')
  .replace(/^\d{4}-\S+Z web\/.*$/gm, '<line>')
  .replace(/\d run now/, '<count> run now')
  .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
  .replace(/\d+\.\d{3,}/g, '<figure>')
  .replace(/ {2,}/g, '  ')

t.test('the tour of docs/cli.md shows what its commands show', async (t) => {
  const steps = stepsOf(tour)
  t.ok(steps.length > 12, `${steps.length} steps`)
  const recorded: string[] = []
  for (const step of steps) {
    const out = await carryOut(step)
    recorded.push(`$ ${step.line}\n${out}`)
    if (process.env.UPDATE_TOUR !== '1') t.equal(compared(out), compared(step.shown), step.line)
  }
  if (process.env.UPDATE_TOUR === '1') writeFileSync(file, `${before}${recorded.join('')}${after}`)
})
