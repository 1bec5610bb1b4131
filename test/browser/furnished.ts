import { chat, type Turn } from '../chat.js'
import { read, say, serviceId, wantsToScale, askedIn, type ChatApp } from '../flows/asking.js'
import { asAdmin, type App } from '../app.js'
import { call, makeTrigger, send, settled } from '../routes/agent/triggers/world.js'
import { actor as contents, draft, makeBrief, makeOpenProject } from '../routes/content/actors.js'
import { actor as deployments, keepRolling, makeApp, until } from '../routes/deployments/actors.js'
import { actor as specs, generate, makeSession } from '../routes/pse/actors.js'
import { makePeople } from '../flows/voting.js'

type Ends = Parameters<typeof keepRolling>[0]

const post = async (app: App, url: string, payload: object = {}) => {
  const answer = await app.inject({ method: 'POST', url, headers: asAdmin, payload })
  if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.payload}`)
  return answer.json()
}

const lockers = `# Lockers

Doors must open within 2 seconds.

Lamps must glow at night.

Couriers should see which box is free.
`

/** @returns the ids of a spec with questions and checks, and of a standard */
const makeSpec = async (app: App) => {
  const { id, path } = await makeSession(app, lockers)
  await generate(app, path)
  const rule = {
    rule_id: 'has-goals',
    title: 'Says its goals',
    level: 'MUST',
    severity: 'warn',
    target: 'requirements.statement',
    check: { fn: 'forbid', options: { patterns: ['TBD'] } }
  }
  const standard = await post(app, '/pse/standards',
    { title: 'House rules', kind: 'ruleset', description: 'For all', rules: [rule] })
  const { items: [input] } = await specs(app).json(`${path}/inputs`)
  return { id, input: String(input.input_id), standard: String(standard.standard_id ?? standard.id) }
}

/** @returns the ids of an app and of its build, which has ended */
const makeBuild = async (t: Ends, app: App) => {
  const stop = keepRolling(t, app)
  const made = await makeApp(app, 'web')
  const { id } = await post(app, `/deployments/apps/${made.id}/deploy`)
  await until(() => deployments(app).json(`/apps/${made.id}/builds/${id}`),
    ({ status }) => status === 'succeeded' || status === 'failed', 60_000)
  await stop()
  return { app: String(made.id), build: String(id) }
}

/** On a machine that has much to do, reading a text may exceed its time: it is sent again. */
const writeContent = async (app: App, project: string, more: object): Promise<{ id: string }> => {
  const answer = await until(() => contents(app).post('/', draft(project, more)),
    (made) => made.json().code !== 'text_too_complex', 60_000)
  if (answer.statusCode !== 201) throw new Error(answer.payload)
  return answer.json()
}

const makeTexts = async (app: App) => {
  const project = await makeOpenProject(app, 'Larkspur shop', {
    terms: { banned: [{ term: 'synergy', replacement: 'teamwork' }] },
    publish_targets: [{ kind: 'feed', name: 'Our feed', config: {} }]
  })
  const brief = await makeBrief(app, project)
  const content = await writeContent(app, project, {
    body_markdown: 'Returning customers pay with one tap, with **synergy**.\n\n## How it works\n\n' +
      '1. Nothing has to be installed.\n2. A card is stored once.\n\n| Step | Seconds |\n|---|---|\n| Cart | 12 |\n' +
      '| Payment | 9 |\n'
  })
  await writeContent(app, project, { channel: 'email', title: 'One tap', body_markdown: 'Pay with one tap.' })
  return { project, brief: String(brief.id), content: String(content.id) }
}

/** Says what the model answers to these words, which are those of a person, not random ones. */
const script = ({ anthropic }: ChatApp, message: string, turns: Turn[]): string => {
  anthropic.control.script({ turns, match: { text: message, scope: 'conversation' } })
  return message
}

const answer = `Both services are **healthy**.

| Service | Running | Wanted |
|---|---|---|
| web | 2 | 2 |
| worker | 3 | 3 |

- Nothing has failed in the last hour.
- The queue is empty.

\`\`\`ts
const desired = 2
\`\`\`
`

/** @returns the ids of a conversation with calls, and of two questions that wait, which make a plan */
const makeTalk = async (steward: ChatApp) => {
  const { app } = steward
  const web = await serviceId(app, 'web')
  const cluster = web.split('~').slice(0, 3).join('~')
  const looks = call(['listCloudAccounts', {}], ['listClusterServices', { cluster }])
  const talk = await chat(app, { message: script(steward, 'Are web and worker healthy?', [looks, say(answer)]) })
  const asks = wantsToScale([web, 4], [await serviceId(app, 'search'), 7])
  const order = script(steward, 'Scale web and search for the sale', [asks, say('All right.')])
  const asked = await chat(app, { message: order })
  await send(app, 'PATCH', `/sessions/${talk.session}`, { title: 'Health of all services', shared: true })
  const [question] = askedIn(asked.frames)
  return { web, talk: talk.session, asking: asked.session, question: question?.confirmation_id ?? '' }
}

const makeReport = async (steward: ChatApp) => {
  const { app } = steward
  const web = await serviceId(app, 'web')
  const question = script(steward, 'What is wrong with web?', [
    call(['getService', { service: web }]),
    say('## What I found\n\nThe service `web` is there [call:1.1]. It has 4711 open orders [call:1.1].\n\n' +
      '| name | wants |\n|---|---|\n| `web` | 2 |\n')
  ])
  const trigger = await makeTrigger(app, {
    name: 'Morning look', kind: 'schedule', cron: '0 8 * * 1-5', time_zone: 'Europe/Berlin', question
  })
  await send(app, 'POST', `/triggers/${trigger.id}/run`)
  const [firing] = await settled(app, trigger.id)
  return { trigger: trigger.id, report: firing?.report_id ?? '' }
}

/** Lets a program ask to be let in. @returns the address at which its person decides */
const askToConnect = async (app: App, url: string): Promise<string> => {
  const redirect = 'http://127.0.0.1:9999/callback'
  const client = await post(app, '/oauth/register', {
    client_name: 'A program of the tests',
    redirect_uris: [redirect],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none'
  })
  const query = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirect,
    response_type: 'code',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    resource: `${url}/mcp`
  })
  return `${url}/oauth/authorize?${query.toString()}`
}

/** Fills the workspace. @returns the address of each page, by its name in the client */
export const furnish = async (t: Ends, steward: ChatApp) => {
  const { app, url } = steward
  await makePeople(app, ['Ada', 'Bea'])
  const [spec, build, texts, report] = [
    await makeSpec(app), await makeBuild(t, app), await makeTexts(app), await makeReport(steward)
  ]
  const talk = await makeTalk(steward)
  const { items: [repository] } = await read(app, '/codehost/repos')
  const { items: functions } = await read(app, '/infrastructure/serverless/functions')
  const at = {
    chat: `chat/${talk.talk}`,
    shared: `shared/${talk.talk}`,
    inbox: 'inbox',
    question: `inbox/${talk.question}`,
    plan: `inbox/${talk.question}/plan`,
    triggers: 'triggers',
    trigger: `triggers/${report.trigger}`,
    reports: 'reports',
    report: `reports/${report.report}`,
    accounts: 'accounts',
    home: 'home',
    costs: 'costs',
    services: 'services',
    logs: `logs?services=${encodeURIComponent(talk.web)}&functions=${encodeURIComponent(functions[0].id)}`,
    service: `services/${encodeURIComponent(talk.web)}`,
    function: `functions/${encodeURIComponent(functions[0].id)}`,
    apps: 'apps',
    app: `apps/${build.app}`,
    build: `apps/${build.app}/builds/${build.build}`,
    repositories: 'repositories',
    repository: `repositories/${repository.id}`,
    specs: 'specs',
    spec: `specs/${spec.id}`,
    standards: 'standards',
    standard: `standards/${spec.standard}`,
    contents: 'content',
    contentDesk: 'content/desk',
    contentCalendar: 'content/calendar',
    content: `content/${texts.content}`,
    briefs: 'briefs',
    brief: `briefs/${texts.brief}`,
    projects: 'projects',
    brand: `projects/${texts.project}`,
    settings: 'settings/tokens',
    components: 'components'
  }
  return { at, asking: `chat/${talk.asking}`, connect: await askToConnect(app, url) }
}
