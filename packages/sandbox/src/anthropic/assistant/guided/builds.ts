import { readItems } from '../conversation.js'
import type { Guide } from './guide.js'
import { listServices } from './services.js'
import { read, type Reply, type Steps } from './steps.js'
import { plain, text } from './texts.js'

interface Build { id: string, app: string, appName: string, number: number, status: string, reason: string, at: string }

function * listBuilds (): Steps<Build[]> {
  const apps = readItems((yield * read('listApps')).data)
  if (apps.length === 0) return []
  const calls = yield apps.map(({ id }) => ({ name: 'listBuilds', input: { app_id: id } }))
  return calls.flatMap((call, index) => readItems(call.data).map((build) => ({
    id: text(build.id),
    app: text(apps[index]?.id),
    appName: text(apps[index]?.name),
    number: Number(build.number),
    status: text(build.status),
    reason: text(build.status_reason),
    at: text(build.created_at) || text(build.queued_at)
  }))).toSorted((a, b) => b.at.localeCompare(a.at))
}

const withReason = (line: string, reason: string): string =>
  reason === '' ? `${line}.` : `${line}: ${plain(reason.replaceAll('_', ' '))}`

/** Deployments that were made elsewhere fail, too: without builds these are what there is. */
function * showFailedDeployments (guide: Guide): Steps {
  const { say } = guide
  const services = yield * listServices()
  const ill = services.filter(({ health }) => health === 'down' || health === 'degraded')
  const lines = ill.map(({ name, cluster, reason }) =>
    `- ${withReason(`**${plain(name)}** in ${plain(cluster)}`, reason)}`)
  const app = `[${say('Create an app', 'App anlegen')}](/apps)`
  const none = say(`No app has a build yet. ${app}: a repository, and the service it is deployed to.`,
    `Noch hat keine App einen Build. ${app}: ein Repository und der Service, auf den ausgeliefert wird.`)
  const failing = lines.length === 0
    ? ''
    : `\n\n${say('Services whose tasks fail now:', 'Services, deren Tasks gerade scheitern:')}\n\n${lines.join('\n')}`
  const next = ill.slice(0, 2).map(({ label }) => guide.button('why', { service: label }))
  return { text: `${none}${failing}`, next: [...next, guide.button('openPulls')] } satisfies Reply
}

/** Why did the last build fail? Its reason and the end of its log. */
export function * explainBuild (guide: Guide): Steps {
  const { say } = guide
  const builds = yield * listBuilds()
  if (builds.length === 0) return yield * showFailedDeployments(guide)
  const failed = builds.find(({ status }) => status === 'failed')
  if (!failed) {
    return {
      text: say(`None of the ${builds.length} builds failed.`, `Keiner der ${builds.length} Builds ist fehlgeschlagen.`),
      next: [guide.button('openPulls'), guide.button('health')]
    } satisfies Reply
  }
  const log = readItems((yield * read('getBuildLogs', { app_id: failed.app, build_id: failed.id })).data)
  const lines = log.map((item) => text(item.message) || text(item.text)).filter(Boolean).slice(-10)
  const words = lines.length === 0 ? '' : `\n\n\`\`\`text\n${lines.join('\n').replaceAll('```', "'''")}\n\`\`\``
  const link = `[${say('Open the build', 'Build öffnen')}](/apps/${failed.app}/builds/${failed.id})`
  const line = withReason(say(`**${plain(failed.appName)}**, build ${failed.number}, failed ${failed.at}`,
    `**${plain(failed.appName)}**, Build ${failed.number}, fehlgeschlagen ${failed.at}`), failed.reason)
  return { text: `${line}${words}\n\n${link}`, next: [guide.button('openPulls'), guide.button('health')] } satisfies Reply
}
