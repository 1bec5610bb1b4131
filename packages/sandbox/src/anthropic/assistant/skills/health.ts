import { plain } from '../render.js'
import { phrase } from '../speech/index.js'
import { mentions } from './named.js'
import type { Skill, Steps } from './skill.js'
import { listServices, namedIn, stateOf, type Service } from './services.js'

const all = [
  /\b(every ?thing|any ?thing|all|my|our|the)\b.*\b(health\w*|ok(ay)?|fine|broken|wrong|failing|down|up|services? doing)\b/i,
  /\b(unhealthy|failing|broken|crashing)\b.*\?|^\W*health\W*$/i,
  /\bhow (are|is) (my|our|the|every)\w*\b.*\b(doing|services?|containers?)\b/i,
  /\bwhat('s| is) (wrong|broken|down|unhealthy|failing)\b|\b(which|what)\b.*\b(unhealthy|failing|crashing|broken|down)\b/i,
  /\b(any|is there an?)\b.*\b(problems?|trouble|outages?)\b|\bservices?\b.*\b(down|broken|healthy)\b/i
]
const one = [
  /\bis\s+(?:the\s+)?([\w.-]+)\s+(?:service\s+)?(healthy|ok(ay)?|fine|up|down|running|broken)\b/i,
  /\bis running (?:the )?([\w.-]+)\W*$|\bhow is ([\w.-]+)( doing)?\W*$|\bstatus of ([\w.-]+)/i
]

/** AWS's reason begins with the number of tasks, too. */
const line = ({ name, cluster, health, running, desired, reason }: Service): string => {
  const why = reason.replace(/^\d+ of \d+ tasks run:?\s*/i, '')
  const end = why && `. ${plain(why)}`
  const [own, where] = [plain(name), plain(cluster)]
  return `- ${phrase`**${own}** in ${where}: ${stateOf(health)}, ${running} of ${desired} tasks run`}${end}`
}

const isWell = ({ health, running, desired }: Service): boolean =>
  ['healthy', 'inactive', 'stopped'].includes(health) && running >= desired

const summary = (services: Service[]): string => {
  if (services.length === 0) return phrase`There is no service in any cluster.`
  const ill = services.filter((service) => !isWell(service))
  const rest = services.length - ill.length
  if (ill.length === 0) {
    return phrase`All ${services.length} services are healthy, and each runs as many tasks as it should.`
  }
  const heading = ill.length === 1
    ? phrase`${1} of ${services.length} services needs attention:`
    : phrase`${ill.length} of ${services.length} services need attention:`
  return `${heading}\n\n${ill.map(line).join('\n')}\n\n` +
    phrase`The other ${rest} are healthy. Ask for the last errors of one of them to see why.`
}

function * checkOne (message: string): Steps {
  const services = yield * listServices()
  const named = namedIn(message, services)
  if (named.length > 0) return named.map(line).join('\n')
  const inCluster = services.filter(({ cluster }) => mentions(message, cluster))
  if (inCluster.length > 0) return summary(inCluster)
  const wanted = one.map((form) => form.exec(message)?.slice(1).find(Boolean)).find(Boolean)
  const isName = wanted !== undefined && !general.test(wanted) && !all.some((form) => form.test(message))
  if (!isName) return summary(services)
  const others = [...new Set(services.map(({ name }) => name))].slice(0, 12).map(plain).join(', ')
  return phrase`No service is called "${plain(wanted)}". There are: ${others}.`
}

const runs = /\bwhat(?:'s| is)? (?:runs |running )?in (?:the )?(?:cluster )?([\w.-]+)/i

function * inCluster (wanted: string): Steps {
  const services = (yield * listServices()).filter(({ cluster }) => cluster.toLowerCase() === wanted.toLowerCase())
  return services.length > 0
    ? services.map(line).join('\n')
    : phrase`No service runs in a cluster called ${plain(wanted)}.`
}

/** Words in the position of a name that are none. */
const general = /^(everything|anything|all|it|that|this|my|our|the|something|there|everyone|system|cloud|aws|any|things?)$/i

const lists = /^\W*(?:which|what|list|show|how many)\b(?:\W+\w+){0,3}\W+services\b(?!.*\b(?:down|broken|healthy|unhealthy|failing|crashing|costs?|problems?|connected)\b)/i

function * list (message: string): Steps {
  const services = yield * listServices()
  const inCluster = services.filter(({ cluster }) => mentions(message, cluster))
  const shown = inCluster.length > 0 ? inCluster : services
  return shown.length > 0 ? shown.map(line).join('\n') : phrase`There is no service in any cluster.`
}

/** "Is everything healthy?", "Is web up?" */
export const health: Skill = (message) => {
  if (/\b(account|build|credential|spec)s?\b/i.test(message)) return undefined
  if (lists.test(message) && !/[=~]|\band\b/i.test(message)) return list(message)
  const cluster = runs.exec(message)?.[1]
  if (cluster !== undefined) return inCluster(cluster)
  return [...all, ...one].some((form) => form.test(message)) ? checkOne(message) : undefined
}
