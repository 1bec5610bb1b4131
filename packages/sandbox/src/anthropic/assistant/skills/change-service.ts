import { plain } from '../render.js'
import { isEnglish, phrase } from '../speech/index.js'
import { want, type Skill, type Steps } from './skill.js'
import { listServices, namedIn, theOne } from './services.js'

const scales = /\b(scale|resize|grow|shrink|run|make|put|need|want|give|add|set|double)\b.*\b(copies|copy|replicas?|instances?|tasks?|bigger|smaller|larger)\b|^\W*(please |pls |can you |could you )?(scale|resize|increase|decrease|reduce|raise|lower)\b|\bset\b.*\b(desired )?count\b/i
/** "Scale web": how far is to be asked for. */
const scalesSomething = /^\W*(?:please |can you |could you )?(?:scale|resize)(?: the)?(?: service)? [\w-]+(?: please)?\W*$/i
/** The verb comes last, as in "web を 4 にスケールして". */
const scalesInJapanese = /\d.*(スケール|増やし|減らし)/u
const deploys = /\b(deploy|ship|release|roll out|update|upgrade)\b/i
/** "Can you deploy?", "Deploy web": the version is to be asked for. */
const deploysSomething =
  /^\W*(?:please |can you |could you )?(?:deploy|ship)(?: the)?(?: (?:latest|newest|new))?(?: version)?(?: of)?(?: [\w-]+)?(?: (?:latest|newest|now|please|to prod))?\W*$/i
const undoes = /\b(undo|revert|roll(ed)? ?back|roll\b.*\bback|go back|take (that|it|this) back)\b/i
const elsewhere = /\b(function|lambda|app|build|project|brief|standard|spec|content|article|post|page|pull|branch|token|notes?)s?\b/i

const spelled = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const restarts = /\b(restart|reboot|bounce)\b/i
const stops = /^\W*(please )?(stop|shut down|turn off|switch off)\b|^\W*(please )?(turn|switch|shut) (the )?[\w-]+ (off|down)\W*$/i
const spelledIn = (message: string): number | undefined => {
  const word = new RegExp(`\\b(${spelled.join('|')}) (copies|replicas?|tasks?|instances?)\\b`, 'i').exec(message)?.[1]
  return word === undefined ? undefined : spelled.indexOf(word.toLowerCase())
}

/** More is a slip: ECS runs 5,000 tasks of a service at most. */
const mostTasks = 5_000

const countIn = (word: string | undefined): number | undefined =>
  word === undefined ? undefined : /^\d/.test(word) ? Number(word) : spelled.indexOf(word.toLowerCase())

/** How many tasks a message asks for, of a service that is to run so many now; undefined = it does not say. */
const target = (message: string, desired: number): number | undefined => {
  if (/\b(minus|negative)\b|(?<![\w-])-\d/i.test(message)) return undefined
  const by = countIn(/\bby (\d{1,7}|one|two|three)\b/i.exec(message)?.[1])
  const isDown = /\b(down|shrink|fewer|less|remove|decrease|reduce|lower)\b/i.test(message)
  if (by !== undefined) return isDown ? Math.max(0, desired - by) : desired + by
  const exact = /\bto (\d{1,7})\b/i.exec(message)?.[1] ?? /(?<![\w.:-])(\d{1,7})(?![\w.:-])/.exec(message)?.[1]
  if (exact !== undefined) return Number(exact) <= mostTasks ? Number(exact) : undefined
  const more = /\b(one|two|three) more\b/i.exec(message)?.[1]
  if (more !== undefined) return desired + spelled.indexOf(more.toLowerCase())
  const count = spelledIn(message)
  if (count !== undefined) return count
  if (/\bdouble\b/i.test(message)) return desired * 2
  if (/\b(bigger|larger|grow|up|increase|raise)\b/i.test(message)) return desired + 1
  return /\b(one (fewer|less)|smaller|shrink|down|decrease|reduce|lower)\b/i.test(message) ? Math.max(0, desired - 1) : undefined
}

const code = (image: string): string => `\`${image.replaceAll('`', '')}\``

function * write (name: string, input: Record<string, unknown>, plan: string): Steps {
  yield [{ ...want(name, input), plan }]
  return ''
}

function * scale (message: string): Steps {
  const service = theOne(message, yield * listServices(), phrase`scale`)
  if (typeof service === 'string') return service
  const count = target(message, service.desired)
  if (count === undefined) {
    return phrase`**${plain(service.name)}** runs ${service.desired} tasks. How many shall it run?`
  }
  if (count === service.desired) {
    return phrase`**${plain(service.name)}** is set to ${count} tasks already, so there is nothing to change.`
  }
  return yield * write('scaleService', { service: service.id, desired_count: count },
    count === 1
      ? phrase`scale **${plain(service.name)}** in ${plain(service.cluster)} from ${service.desired} to 1 task`
      : phrase`scale **${plain(service.name)}** in ${plain(service.cluster)} from ${service.desired} to ${count} tasks`)
}

const versionIn = (message: string): string | undefined =>
  /(?<![\w./-])v?(\d+\.\d+(?:\.\d+)?[\w.-]*\w|\d+\.\d+)(?!\w)/.exec(message)?.[1]
const imageIn = (message: string): string | undefined => /(?<!\S)([\w.-]+(?:\/[\w.-]+)*:[\w][\w.-]*)(?!\S)/.exec(message)?.[1]

/** The image of a container with another tag, in the repository that it comes from. */
const tagged = (image: string, tag: string): string => `${image.replace(/@.*$/, '').replace(/:[^:/]*$/, '')}:${tag}`

function * deploy (message: string): Steps {
  const given = imageIn(message)
  const version = versionIn(message)
  const services = yield * listServices()
  // "deploy web:2.6.0" names the service by its image alone.
  const beside = given ? message.replace(given, ' ') : message
  const named = namedIn(beside, services).length > 0 ? beside : message.replace(given ?? '', given?.split(':')[0] ?? '')
  const service = theOne(named, services, phrase`deploy to`)
  if (typeof service === 'string') return service
  if (given === undefined && version === undefined) {
    return phrase`Which version of **${plain(service.name)}** shall I deploy?`
  }
  const { images } = service
  const wanted = images.filter(({ container }) => new RegExp(`\\b(container|in)\\s+${container}\\b`, 'i').test(message))
  const choice = images.length === 1 ? images[0] : wanted[0]
  if (!choice) {
    const names = images.map(({ container }) => container).join(phrase` or `)
    return phrase`**${plain(service.name)}** has several containers. Which one gets the new image: ${plain(names)}?`
  }
  const image = given?.includes('/') ? given : tagged(choice.image, given?.split(':')[1] ?? version ?? '')
  return yield * write('deployService', { service: service.id, image, container: choice.container },
    phrase`deploy ${code(image)} to **${plain(service.name)}** in ${plain(service.cluster)}`)
}

function * restart (message: string): Steps {
  const service = theOne(message, yield * listServices(), phrase`restart`)
  if (typeof service === 'string') return service
  return yield * write('deployService', { service: service.id, force_new_deployment: true },
    phrase`restart **${plain(service.name)}** in ${plain(service.cluster)} with the image that it has`)
}

function * stop (message: string): Steps {
  const service = theOne(message, yield * listServices(), phrase`stop`)
  if (typeof service === 'string') return service
  if (service.desired === 0) {
    return phrase`**${plain(service.name)}** is set to 0 tasks already: nothing is to be changed.`
  }
  return yield * write('scaleService', { service: service.id, desired_count: 0 },
    phrase`stop **${plain(service.name)}** in ${plain(service.cluster)}: scale it from ${service.desired} to 0 tasks`)
}

function * undo (message: string): Steps {
  const service = theOne(message, yield * listServices(), phrase`roll back`)
  if (typeof service === 'string') return service
  return yield * write('deployService', { service: service.id, rollback_to: 'previous' },
    phrase`roll **${plain(service.name)}** in ${plain(service.cluster)} back to what ran before`)
}

/** English says it as the tools' schemas do, which read it. */
const isExact = (message: string): boolean => /\bscale\b.*\bto \d{1,4}\b/i.test(message)

/** No number of tasks, which the schemas would refuse. */
const isOdd = (message: string): boolean => /\b(minus|negative|million)\b|(?<![\w-])-\d|\b\d{5,}\b/i.test(message)

/** Several requests, or values that are assigned. */
const isSeveral = (message: string): boolean => /[=~]|[;\n]|\band\b|\bthen\b|"|\{/i.test(message)

/** "Run 5 copies of api", "Deploy web 2.6.0", "Roll back web" */
export const changeService: Skill = (message) => {
  if (elsewhere.test(message) || (isEnglish() && isExact(message)) || isSeveral(message)) return undefined
  if (undoes.test(message)) return versionIn(message) === undefined ? undo(message) : deploy(message)
  if (restarts.test(message)) return restart(message)
  if (stops.test(message) && /\w+\W+\w/.test(message)) return stop(message)
  const isScaling = scales.test(message) || scalesInJapanese.test(message)
  const isAsked = !isEnglish() || isOdd(message) || target(message, 1) !== undefined
  if (scalesSomething.test(message) || (isScaling && isAsked)) return scale(message)
  const isDeploying = deploys.test(message) && (versionIn(message) ?? imageIn(message)) !== undefined
  return isDeploying || deploysSomething.test(message) ? deploy(message) : undefined
}
