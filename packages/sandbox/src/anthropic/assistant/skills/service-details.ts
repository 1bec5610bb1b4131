import { isRecord } from '../../validate/shape.js'
import { plain } from '../render.js'
import { phrase } from '../speech/index.js'
import { listServices, namedIn, stateOf, type Service } from './services.js'
import { read, type Skill, type Steps } from './skill.js'

const asks = /\b(how many|how much|what|which|where|show)\b.*\b(tasks?|copies|replicas?|instances|cpu|memory|ram|size|vcpu|runs?|running|located)\b/i
const sizes = /\b(cpu|memory|ram|size|vcpu)\b/i
const elsewhere = /\b(function|lambda|cost\w*|sp[ae]n[dt]\w*|pay|build|version|image|tag|error|log|spec|content|project|account|services?|clusters?|containers|echo)s?\b|[=~{]|\band\b/i

function * size (service: Service): Steps {
  const { data } = yield * read('getService', { service: service.id })
  const { cpu_units: cpu, memory_mb: memory } = isRecord(data) && isRecord(data.task_size) ? data.task_size : {}
  const name = phrase`**${plain(service.name)}** in ${plain(service.cluster)}`
  return cpu === undefined || cpu === null
    ? phrase`AWS states no size for the tasks of ${name}.`
    : phrase`Each task of ${name} has ${String(cpu)} CPU units (1024 are one vCPU) and ${String(memory)} MB of memory.`
}

const line = ({ name, cluster, health, running, desired }: Service): string =>
  `- ${phrase`**${plain(name)}** in ${plain(cluster)}: ${stateOf(health)}, ${running} of ${desired} tasks run`}`

function * show (message: string): Steps {
  const services = yield * listServices()
  const named = namedIn(message, services)
  const [one, ...more] = named
  if (!one || more.length > 0 || !sizes.test(message)) return (one ? named : services).map(line).join('\n')
  return yield * size(one)
}

/** "How many tasks does web run?", "What is the memory of api?", "Where does web run?" */
export const serviceDetails: Skill = (message) =>
  asks.test(message) && !elsewhere.test(message) ? show(message) : undefined
