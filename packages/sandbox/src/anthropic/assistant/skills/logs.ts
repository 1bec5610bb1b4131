import { itemsOf } from '../conversation.js'
import { plain } from '../render.js'
import { phrase } from '../speech/index.js'
import { read, type Skill, type Steps } from './skill.js'
import { mentions, text } from './named.js'
import { listServices, namedIn, theOne } from './services.js'

const asksErrors = /\b(errors?|exceptions?|crash\w*)\b/i
const asksLogs = /\b(logs?|log lines)\b|^\W*tail [\w-]+\W*$/i
const notServices = /\b(function|lambda|build|spec|content|trigger|limit)s?\b|[=~]/i
const isError = /\b(error|exception|fatal|fail(ed|ure)?|panic|ECONN\w+|timeout|refused|giving up|5\d\d)\b/i
const most = 15

/** The function that the message names, where none of the services is called so. */
function * functionIn (message: string): Steps<Record<string, unknown> | undefined> {
  const found = itemsOf((yield * read('listFunctions')).data) ?? []
  return found.find(({ name }) => mentions(message, text(name)))
}

function * show (message: string): Steps {
  const services = yield * listServices()
  const called = namedIn(message, services).length > 0 ? undefined : yield * functionIn(message)
  const service = called ? undefined : theOne(message, services, phrase`read`)
  if (typeof service === 'string') return service
  const { data } = called
    ? yield * read('getFunctionLogs', { name: called.id })
    : yield * read('getServiceLogs', { service: service?.id })
  const lines = itemsOf(data) ?? []
  const wanted = asksErrors.test(message) ? lines.filter(({ message: words }) => isError.test(String(words))) : lines
  const [own, where] = [plain(called ? text(called.name) : service?.name ?? ''),
    plain(called ? text(called.region) : service?.cluster ?? '')]
  const name = phrase`**${own}** in ${where}`
  const isOfErrors = asksErrors.test(message)
  if (wanted.length === 0) {
    return isOfErrors
      ? phrase`There is no error among the newest ${lines.length} lines of ${name}.`
      : phrase`There is no line among the newest ${lines.length} lines of ${name}.`
  }
  const shown = wanted.slice(-most).map(({ timestamp, message: words }) => `${timestamp} ${String(words).trimEnd()}`)
  const all = isOfErrors ? phrase`The errors of ${name}:` : phrase`The lines of ${name}:`
  const last = isOfErrors
    ? phrase`The last ${most} of ${wanted.length} errors of ${name}:`
    : phrase`The last ${most} of ${wanted.length} lines of ${name}:`
  return `${wanted.length > most ? last : all}\n\n\`\`\`text\n${shown.join('\n').replaceAll('```', "'''")}\n\`\`\``
}

/** "Show me the last errors of web" */
export const logs: Skill = (message) =>
  (asksErrors.test(message) || asksLogs.test(message)) && !notServices.test(message) && !/\bwhy\b.*\bdeploy/i.test(message)
    ? show(message)
    : undefined
