import { itemsOf } from '../conversation.js'
import { plain } from '../render.js'
import { phrase } from '../speech/index.js'
import { text } from './named.js'
import { listServices, namedIn, stateOf, theOne, type Service } from './services.js'
import { read, want, type Skill, type Steps } from './skill.js'

const asks = /\b(what|which|show|list|any|last|latest|recent|how did)\b.*\b(deployments?|deploys|rollouts?|releases? went)\b|\bwhen (was|did)\b.*\b(deployed|rolled out|last deploy\w*)\b/i
const changes = /\b(cancel|start|create|undo|roll ?back|why)\b|[=~]/i
const most = 10

interface Deployment { service: Service, kind: string, status: string, reason: string, at: string }

function * list (services: Service[]): Steps<Deployment[]> {
  const calls = yield services.map(({ id }) => want('listServiceDeployments', { service: id }))
  return calls.flatMap(({ data }, index) => (itemsOf(data) ?? []).flatMap((item) => {
    const service = services[index]
    if (!service) return []
    const { kind, status, status_reason: reason, created_at: at } = item
    return [{ service, kind: text(kind), status: text(status), reason: text(reason), at: text(at) }]
  })).toSorted((a, b) => b.at.localeCompare(a.at))
}

const line = ({ service, kind, status, reason, at }: Deployment): string =>
  `- ${phrase`**${plain(service.name)}** in ${plain(service.cluster)}`}: ${plain(kind)} ${plain(stateOf(status))}` +
  `${reason && ` (${plain(reason.replaceAll('_', ' '))})`}, ${at}`

function * show (message: string): Steps {
  const services = yield * listServices()
  const named = namedIn(message, services)
  const all = yield * list((named.length > 0 ? named : services).slice(0, 20))
  const failedOnly = /\b(fail\w*|broke\w*|went wrong)\b/i.test(message)
  const found = failedOnly ? all.filter(({ status }) => !['succeeded', 'running', 'queued'].includes(status)) : all
  const of = [...new Set(named.map(({ name }) => plain(name)))].join(', ')
  if (found.length === 0) {
    return failedOnly && all.length > 0
      ? phrase`None of the ${all.length} deployments that were made here failed.`
      : of === ''
        ? phrase`No deployment was made here yet. Say "deploy web 2.6.0" to make one.`
        : phrase`No deployment of ${of} was made here yet. Say "deploy web 2.6.0" to make one.`
  }
  const last = /\b(last|latest|when)\b/i.test(message) && !/deployments|deploys/i.test(message) ? 1 : most
  return found.slice(0, last).map(line).join('\n')
}

const cancels = /^\W*(?:please )?(?:cancel|stop|abort) (?:the |my )?(?:last |current |running )?(?:deployment|deploy|rollout)\b/i

function * cancel (message: string): Steps {
  const service = theOne(message, yield * listServices(), phrase`cancel the deployment of`)
  if (typeof service === 'string') return service
  const { data } = yield * read('listServiceDeployments', { service: service.id })
  const live = (itemsOf(data) ?? []).find(({ finished_at: at }) => at === null || at === undefined)
  const name = phrase`**${plain(service.name)}** in ${plain(service.cluster)}`
  if (!live) return phrase`No deployment of ${name} is under way.`
  yield [{
    ...want('cancelServiceDeployment', { service: service.id, deployment_id: live.id }),
    plan: phrase`cancel the deployment of ${name} that is under way`
  }]
  return ''
}

/** "Which deployments failed?", "Show the last deployment of web" */
export const deployments: Skill = (message) =>
  cancels.test(message) && !/[=~]/.test(message)
    ? cancel(message)
    : asks.test(message) && !changes.test(message) ? show(message) : undefined
