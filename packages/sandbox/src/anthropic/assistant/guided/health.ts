import { isRecord } from '../../validate/shape.js'
import { readItems } from '../conversation.js'
import type { Guide } from './guide.js'
import { describeService, findService, isWell, listServices } from './services.js'
import { noSuchService, readErrors } from './errors.js'
import { read, type Reply, type Steps } from './steps.js'
import { plain, text } from './texts.js'

/** Is everything healthy? */
export function * showHealth (guide: Guide): Steps {
  const { say } = guide
  const services = yield * listServices()
  if (services.length === 0) return { text: say('There are no services in any cluster.', 'Es gibt in keinem Cluster einen Service.') }
  const ill = services.filter((service) => !isWell(service))
  const [worst] = ill
  const next = worst
    ? [guide.button('why', { service: worst.label }), guide.button('errorsOf', { service: worst.label }), guide.button('clusters')]
    : [guide.button('clusters')]
  if (ill.length === 0) {
    return {
      text: say(`All ${services.length} services are healthy, and each runs as many tasks as it should.`,
        `Alle ${services.length} Services sind gesund, und von jedem laufen so viele Tasks, wie es sein sollen.`),
      next
    }
  }
  const heading = say(
    `${ill.length} of ${services.length} services ${ill.length === 1 ? 'needs' : 'need'} attention:`,
    `${ill.length} von ${services.length} Services ${ill.length === 1 ? 'braucht' : 'brauchen'} Aufmerksamkeit:`)
  const lines = ill.map((service) => `- ${describeService(service, say)}`).join('\n')
  const rest = services.length - ill.length
  const others = rest === 0 ? '' : `\n\n${say(`The other ${rest} are healthy.`, `Die übrigen ${rest} sind gesund.`)}`
  return { text: `${heading}\n\n${lines}${others}`, next }
}

/** Which clusters do I have? */
export function * showClusters (guide: Guide): Steps {
  const { say } = guide
  const clusters = readItems((yield * read('listClusters')).data)
  const lines = clusters.map(({ name, region, active_services: services, running_tasks: tasks }) => say(
    `- **${plain(text(name))}** in ${plain(text(region))}: ${Number(services)} services, ${Number(tasks)} tasks running`,
    `- **${plain(text(name))}** in ${plain(text(region))}: ${Number(services)} Services, ${Number(tasks)} Tasks laufen`))
  return {
    text: lines.length === 0 ? say('There are no clusters.', 'Es gibt keine Cluster.') : lines.join('\n'),
    next: [guide.button('health'), guide.button('scale')]
  }
}

const listReasons = (data: unknown): string[] => {
  const detail = isRecord(data) ? data : {}
  const failures = readItems(detail.recent_failures)
  const events = readItems(detail.events)
  return failures.length > 0
    ? failures.map(({ reason, count }) => `- ${plain(text(reason))} (${Number(count)} ×)`)
    : events.slice(0, 3).map(({ at, message }) => `- ${text(at)} ${plain(text(message))}`)
}

/** Why is worker unhealthy? What AWS says of it, and the newest errors in its log. */
export function * explainHealth (guide: Guide): Steps {
  const { say } = guide
  const services = yield * listServices()
  const service = findService(services, guide.slots.service)
  if (!service) return noSuchService(guide, services, 'why')
  const { data } = yield * read('getService', { service: service.id })
  const reasons = listReasons(data).slice(0, 5)
  const logs = isRecord(data) && isRecord(data.logs) && data.logs.available === true
  const errors = logs ? yield * readErrors(guide, service) : ''
  return {
    text: [
      `${describeService(service, say)}.`.replace(/\.\.$/, '.'),
      ...(reasons.length > 0 ? [`${say('AWS reports:', 'AWS meldet:')}\n\n${reasons.join('\n')}`] : []),
      ...(errors === '' ? [] : [errors]),
      `[${say('Open the service', 'Service öffnen')}](/services/${encodeURIComponent(service.id)})`
    ].join('\n\n'),
    next: [guide.button('logOf', { service: service.label }), guide.button('health')]
  } satisfies Reply
}
