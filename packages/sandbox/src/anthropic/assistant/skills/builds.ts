import { itemsOf } from '../conversation.js'
import { plain } from '../render.js'
import { phrase } from '../speech/index.js'
import { mentions, text } from './named.js'
import { stateOf } from './services.js'
import { read, want, type Skill, type Steps } from './skill.js'

const asks = /\b(why|what|explain|show|which|list)\b.*\bbuilds?\b|\bbuilds?\b.*\b(fail\w*|broke\w*|red|recent|last|green|passing|pass\w*)\b/i
const starts = /^\W*(please )?(start|trigger|kick off|run) (a |the |another )?(new )?build\b(?! \d)[^=~]*$/i
const changes = /\b(cancel|start|trigger|run|deploy|create|roll ?back|undo)\b/i
const asksFailed = /fail|broke|red\b|why/i

interface Build { id: string, app: string, appName: string, number: number, status: string, reason: string, at: string }

function * listAll (): Steps<Build[]> {
  const apps = itemsOf((yield * read('listApps')).data) ?? []
  const calls = yield apps.map(({ id }) => want('listBuilds', { app_id: id }))
  return calls.flatMap((call, index) => (itemsOf(call.data) ?? []).map((build) => ({
    id: text(build.id),
    app: text(apps[index]?.id),
    appName: text(apps[index]?.name),
    number: Number(build.number),
    status: text(build.status),
    reason: text(build.status_reason),
    at: text(build.created_at) || text(build.queued_at)
  }))).toSorted((a, b) => b.at.localeCompare(a.at))
}

const line = ({ appName, number, status, reason, at }: Build): string =>
  `- ${phrase`**${plain(appName)}** build ${number}: ${stateOf(status)}`}` +
  `${reason ? ` (${plain(reason.replaceAll('_', ' '))})` : ''}, ${at}`

function * show (message: string): Steps {
  const builds = yield * listAll()
  if (builds.length === 0) {
    return phrase`No app has a build yet. An app says which repository is built, and where it is deployed.`
  }
  const bad = builds.filter(({ status }) => status === 'failed')
  if (!asksFailed.test(message)) return builds.slice(0, 10).map(line).join('\n')
  const [last] = bad
  const newest = builds.slice(0, 3).map(line).join('\n')
  if (!last) return `${phrase`None of the ${builds.length} builds failed. The newest:`}\n\n${newest}`
  const log = yield * read('getBuildLogs', { app_id: last.app, build_id: last.id })
  const lines = (itemsOf(log.data) ?? []).map((item) => text(item.message) || text(item.text))
    .filter(Boolean).slice(-10)
  const words = lines.length > 0 ? `\n\n\`\`\`text\n${lines.join('\n').replaceAll('```', "'''")}\n\`\`\`` : ''
  return `${phrase`The last build that failed:`}\n\n${line(last)}${words}`
}

function * start (message: string): Steps {
  const apps = itemsOf((yield * read('listApps')).data) ?? []
  const [app, ...others] = apps.filter(({ name }) => mentions(message, text(name)))
  if (apps.length === 0) {
    return phrase`There is no app to build yet: [create one](/apps) from a repository and a service.`
  }
  if (!app || others.length > 0) {
    return phrase`Which app shall I build: ${apps.slice(0, 12).map(({ name }) => plain(text(name))).join(', ')}?`
  }
  yield [{
    ...want('deployApp', { app_id: app.id }),
    plan: phrase`build **${plain(text(app.name))}** from its default branch and deploy it`
  }]
  return ''
}

/** "Why did the last build fail?", "Start a build of shop" */
export const builds: Skill = (message) => {
  if (starts.test(message)) return start(message)
  return asks.test(message) && !changes.test(message) ? show(message) : undefined
}
